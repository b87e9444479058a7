// `GET /v1/users/me`: the user that the API key belongs to.
import { Controller, Get, Inject, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { WorkspaceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { Input } from '../../http/input/input.ts';
import { ApiReads } from '../../openapi/operation.ts';
import { findOwned } from '../owned-documents.ts';
import { UserRecord } from './user-record.dto.ts';

@ApiTags('users')
@UseGuards(ApiKeyGuard)
@Controller('v1/users')
export class UsersController {
  readonly #parts: Parts<'views'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views'>) {
    this.#parts = parts;
  }

  @Get('me')
  @ApiReads({ summary: 'The user and workspace of the API key', input: AnyRequestDto, record: UserRecord })
  async getMe(
    @CalledBy() caller: Caller,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<UserRecord>> {
    const workspace = await findOwned<WorkspaceView>(this.#parts, caller, 'workspaces', caller.workspace);
    if (workspace === undefined) throw notFound({ record: 'workspace' });
    return { data: selectFields(presentUser(caller, workspace), input) };
  }
}

const presentUser = ({ userId }: Caller, { workspace, name, username, email }: WorkspaceView): UserRecord => ({
  id: userId,
  username,
  email,
  orgs: [{ id: workspace, name, orgname: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'), email }],
});
