// `GET /v1/history/export`: the workspace's history as a file that can be verified without the service.
import { Controller, Get, Inject, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Caller } from '../../../control/api-keys.ts';
import { admissionOf } from '../../../admission/recognise-caller.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import { badCursor } from '../../../http/pages/cursor.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiDownloads } from '../../../openapi/operation.ts';
import { GatewayParts, type Parts } from '../../../parts/parts.ts';
import { SignedHistory } from '../signed/signed-history.ts';
import { ExportDto } from './export.dto.ts';
import { readExportCursor } from './export-cursor.ts';
import { type ExportAsked, exportHistory } from './export-history.ts';
import { exportHeaders, OpenExports } from './open-exports.ts';

type Needed = Parts<'access' | 'ambient'>;

@ApiTags('history')
@UseGuards(ApiKeyGuard)
@Controller('v1/history')
export class ExportController {
  readonly #parts: Needed;
  readonly #history: SignedHistory;
  readonly #open = new OpenExports();

  constructor(@Inject(GatewayParts) parts: Needed, @Inject(SignedHistory) history: SignedHistory) {
    this.#parts = parts;
    this.#history = history;
  }

  @Get('export')
  @ApiDownloads({
    summary: 'The history of the workspace as a file that `pd audit verify` verifies',
    description: 'One JSON document a line (docs/audit.md, "The file"). An answer without its last line broke off.',
    input: ExportDto,
  })
  async exportHistory(
    @CalledBy() caller: Caller,
    @Input(ExportDto) input: ExportDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { workspace } = caller;
    const asked = askedOf(input, workspace, this.#parts.ambient.now());
    if (reply.request.method === 'HEAD') {
      await reply.headers(exportHeaders).send();
      return;
    }
    const begin = (): { response: FastifyReply['raw']; headers: OutgoingHttpHeaders } => {
      reply.hijack();
      return { response: reply.raw, headers: reply.getHeaders() as OutgoingHttpHeaders };
    };
    const text = exportHistory(this.#history, asked);
    await this.#open.send({ workspace, text, isAdmitted: admissionOf(this.#parts, reply.request), begin });
  }
}

/** Throws ApiProblem 400. */
function askedOf({ from, to, cursor }: ExportDto, workspace: string, now: number): ExportAsked {
  if (typeof cursor === 'string') {
    const begun = readExportCursor(cursor);
    if (begun === undefined) throw badCursor().in('cursor');
    const { from: begin, to: end, at, records, next } = begun;
    return { workspace, position: { from: begin, to: end, at }, begun: { cursor, records, next } };
  }
  const position = { from: from ?? 0, to: to ?? now + 1, at: now };
  if (position.from >= position.to) throw problemsOf([{ field: 'from', message: '`from` must be before `to`' }]);
  return { workspace, position };
}
