// Emits what it is sent, on the default channel.
module.exports = {
  name: 'Ticker',
  version: '0.0.1',
  props: { http: '$.interface.http' },
  run({ body }) {
    this.$emit(body, { id: body.n });
  },
};
