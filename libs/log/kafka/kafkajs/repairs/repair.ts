// Importing this file repairs kafkajs for the whole process: code that creates a client imports it first.
import kafkajs from 'kafkajs';
import { connectOnceAtATime } from './connections.ts';
import { leaveDestroyedSockets } from './disconnecting.ts';
import { tolerateMissingLeaders } from './metadata.ts';
import { replaceRecordEncoding } from './replace-encoding.ts';
import { stopIdleTimers } from './request-queues.ts';
import { zstd } from './zstd.ts';

const { CompressionCodecs, CompressionTypes } = kafkajs;
stopIdleTimers();
replaceRecordEncoding();
connectOnceAtATime();
leaveDestroyedSockets();
tolerateMissingLeaders();
CompressionCodecs[CompressionTypes.ZSTD] = zstd;
