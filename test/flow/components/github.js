// GitHub's webhooks: checks the signature, drops redeliveries, and emits on a channel for each event type.
// GET answers what its db holds, so that a test can see it.
const crypto = require('crypto');

module.exports = {
  name: 'GitHub Webhooks',
  version: '0.1.0',
  dedupe: 'unique',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    db: '$.service.db',
    secret: { type: 'string', secret: true },
  },
  methods: {
    isValid(signature, body) {
      const expected = `sha256=${crypto.createHmac('sha256', this.secret).update(body).digest('hex')}`;
      const given = Buffer.from(String(signature));
      return given.length === expected.length && crypto.timingSafeEqual(given, Buffer.from(expected));
    },
    /** Counts each delivery once, however often it comes. */
    count(name, id) {
      const seen = this.db.get(name) || { count: 0, ids: [] };
      if (!seen.ids.includes(id)) this.db.set(name, { count: seen.count + 1, ids: [...seen.ids, id].slice(-100) });
      this.db.set('names', [...new Set([...(this.db.get('names') || []), name])].sort());
    },
    state() {
      return Object.fromEntries((this.db.get('names') || []).map((name) => [name, this.db.get(name)]));
    },
  },
  async run({ method, headers, body, bodyRaw }) {
    if (method === 'GET') {
      this.http.respond({ status: 200, headers: { 'content-type': 'application/json' }, body: this.state() });
      return;
    }
    if (!this.isValid(headers['x-hub-signature-256'], bodyRaw)) {
      this.http.respond({ status: 401, body: 'bad signature' });
      return;
    }
    const name = headers['x-github-event'];
    const id = headers['x-github-delivery'];
    this.count(name, id);
    this.$emit({ delivery: id, name, payload: body }, { id, name, summary: `${name} ${body.action || ''}`.trim() });
    this.http.respond({ status: 200, headers: { 'content-type': 'application/json' }, body: { ok: true } });
  },
};
