// The code that the form of a new source starts with: a minimal component that answers a request.
export const firstCode = `export default {
  name: 'My source',
  version: '0.1.0',
  props: {
    http: '$.interface.http',
  },
  async run(event) {
    const { method, path, query, body } = event;
    console.log('got', method, path);
    this.$emit({ method, path, query, body }, { summary: \`\${method} \${path}\` });
  },
};
`;
