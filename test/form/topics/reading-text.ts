// The text that readers of the topics need first: the commands to read them, and the rules that records follow.

export const readingText = `The distributed engine keeps its log on Apache Kafka; anybody with access to the brokers may read it. Only Wellspring writes there. The same is described for machines in [asyncapi.yaml](asyncapi.yaml). With \`KAFKA_TOPIC_PREFIX\`, every topic's name begins with it.

## Reading

With [kcat](https://github.com/edenhill/kcat), every event that was ever emitted, headers, key and data:

\`\`\`sh
kcat -C -b "$KAFKA_BROKERS" -t channels -o beginning -e -X isolation.level=read_committed \\
  -f 'partition %p offset %o key %k\\n%h\\n%s\\n\\n'
\`\`\`

As one line of JSON a record: \`-J\` instead of \`-f ...\`. To follow what comes: \`-o end\` instead of \`-o beginning -e\`.

With kafkajs (2.2.4, on Node 22.15 or later), which has no zstd of its own:

\`\`\`js
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import kafkajs from 'kafkajs';

kafkajs.CompressionCodecs[kafkajs.CompressionTypes.ZSTD] = () => ({
  compress: async ({ buffer }) => zstdCompressSync(buffer),
  decompress: async (buffer) => zstdDecompressSync(buffer),
});
const kafka = new kafkajs.Kafka({ brokers: process.env.KAFKA_BROKERS.split(',') });
const consumer = kafka.consumer({ groupId: 'my-app' });
await consumer.connect();
await consumer.subscribe({ topic: 'channels', fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { key, headers, value } }) => {
    if (String(headers.ce_type) === 'EventEmitted') console.log(String(key), String(value));
  },
});
\`\`\`

With any consumer of your own:

- It must be able to read zstd: batches of 8 KiB and more are compressed. The Java client and librdkafka can.
- Read committed records only: \`isolation.level=read_committed\` (the default of librdkafka and of kafkajs, **not** of the Java client). Records are appended in transactions; what was aborted must not be seen. kafkajs 2.2.4 may still show aborted records of the topics that many write, \`commands\`, \`triggers\` and \`requests\`.
- Name the group as you like, except \`lifecycle\`, \`scheduler\`, \`runtime\`, \`delivery\`, \`projection\`, \`audit\` behind the prefix: these are ours.
- Order holds within a partition, and so for each source. Offsets have gaps; count by \`eventId\`, which ends with a sequence number without gaps for each source.
- Nothing is on the log twice. A consumer that repeats its own work after a crash can tell by \`ce_id\`.
- Ignore types, headers and properties that you do not know: more may come.
- Secrets are sealed (\`$sealed\`) and cannot be read from here. All else is in clear, what sources emit and the secret part of endpoints' URLs (\`endpointKey\`) too: whoever may read the topics may read every workspace. Give readers access to the topics that they need, and to no other.

Two more topics are no part of the log: \`settings\` holds what was fixed when the log was created, \`replies\` what runtime and delivery answer processes that wait for it, for a minute.`;
