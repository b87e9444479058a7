// What a new source begins with: the smallest one that answers to a request.
export const firstCode = `export default {
  name: 'My source',
  version: '0.1.0',
  props: {
    http: '$.interface.http',
  },
  async run(event) {
    console.log('got', event.method, event.path);
    this.$emit(event.body, { summary: \`\${event.method} \${event.path}\` });
  },
};
`;
