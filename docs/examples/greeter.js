// A source: every request to its endpoint becomes an event.
module.exports = {
  name: 'Greeter',
  version: '0.1.0',
  props: {
    http: '$.interface.http',
  },
  async run({ body }) {
    this.$emit({ greeting: `Hello, ${body.name}!` }, { summary: body.name });
  },
};
