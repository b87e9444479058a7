// `GET /v1/history/export`: the workspace's history as a file that can be verified without the service.
import { Controller, Get, Inject, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Caller } from '../../../control/api-keys.ts';
import { createAccessCheck } from '../../../admission/authenticate-caller.ts';
import { ApiKeyGuard, CalledBy } from '../../../http/api-key.guard.ts';
import { problemsOf } from '../../../http/input/field-problem.ts';
import { badCursor } from '../../../http/pages/cursor.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiDownloads } from '../../../openapi/operation.ts';
import { GatewayParts, type Parts } from '../../../parts/parts.ts';
import { SignedHistory } from '../signed/signed-history.ts';
import { ExportDto } from './export.dto.ts';
import { readExportCursor } from './export-cursor.ts';
import { type ExportRequest, exportHistory } from './export-history.ts';
import { exportHeaders, ExportStreams } from './export-streams.ts';

type RequiredParts = Parts<'access' | 'ambient'>;

@ApiTags('history')
@UseGuards(ApiKeyGuard)
@Controller('v1/history')
export class ExportController {
  readonly #parts: RequiredParts;
  readonly #history: SignedHistory;
  readonly #streams = new ExportStreams();

  constructor(@Inject(GatewayParts) parts: RequiredParts, @Inject(SignedHistory) history: SignedHistory) {
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
    const request = exportRequestOf(input, workspace, this.#parts.ambient.now());
    if (reply.request.method === 'HEAD') {
      await reply.headers(exportHeaders).send();
      return;
    }
    const takeOverReply = (): { response: FastifyReply['raw']; headers: OutgoingHttpHeaders } => {
      reply.hijack();
      return { response: reply.raw, headers: reply.getHeaders() as OutgoingHttpHeaders };
    };
    const text = exportHistory(this.#history, request);
    await this.#streams.send({
      workspace,
      text,
      isAdmitted: createAccessCheck(this.#parts, reply.request),
      begin: takeOverReply,
    });
  }
}

/** Throws ApiProblem 400. */
function exportRequestOf({ from, to, cursor }: ExportDto, workspace: string, now: number): ExportRequest {
  if (typeof cursor === 'string') {
    const decoded = readExportCursor(cursor);
    if (decoded === undefined) throw badCursor().forField('cursor');
    const { from: begin, to: end, at, records, next } = decoded;
    return { workspace, position: { from: begin, to: end, at }, resumeFrom: { cursor, records, next } };
  }
  const position = { from: from ?? 0, to: to ?? now + 1, at: now };
  if (position.from >= position.to) throw problemsOf([{ field: 'from', message: '`from` must be before `to`' }]);
  return { workspace, position };
}
