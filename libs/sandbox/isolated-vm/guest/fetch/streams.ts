// The web's streams, from one package that implements the standard, plus TextEncoderStream and TextDecoderStream.
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill';
import { TextDecoder, TextEncoder } from '../encoding/text-encoding.ts';
import { CompressionStream, DecompressionStream } from './compression-streams.ts';

class TextEncoderStream {
  readonly encoding = 'utf-8';
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<unknown>;

  constructor() {
    const encoder = new TextEncoder();
    ({ readable: this.readable, writable: this.writable } = new TransformStream<unknown, Uint8Array>({
      transform: (part, controller) => controller.enqueue(encoder.encode(String(part))),
    }));
  }
}

class TextDecoderStream {
  readonly encoding: string;
  readonly readable: ReadableStream<string>;
  readonly writable: WritableStream<Uint8Array>;

  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean }) {
    const decoder = new TextDecoder(label, options);
    this.encoding = decoder.encoding;
    const enqueueText = (text: string, controller: { enqueue(text: string): void }): void => {
      if (text !== '') controller.enqueue(text);
    };
    ({ readable: this.readable, writable: this.writable } = new TransformStream<Uint8Array, string>({
      transform: (part, controller) => enqueueText(decoder.decode(part, { stream: true }), controller),
      flush: (controller) => enqueueText(decoder.decode(), controller),
    }));
  }
}

export const streams = {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableStream,
  TransformStream,
  WritableStream,
  ReadableByteStreamController,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStreamDefaultController,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
  TextEncoderStream,
  TextDecoderStream,
  CompressionStream,
  DecompressionStream,
};
