// `/v1/components/registry` and `/v1/components/search`: the components of the npm registry, by key and by app.
import { Controller, Get, Inject, Param, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { codeHashOf } from '../../../../../domain/component/program/program.ts';
import { componentIdOf } from '../../../../../domain/saved/saved.ts';
import type { ComponentView } from '../../../../../domain/views/index.ts';
import { checkCanWrite } from '../../../admission/authenticate-caller.ts';
import { hasScope } from '../../../control/api-keys.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { selectFields } from '../../../http/answer-envelope.ts';
import type { RecordAnswer } from '../../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy, keyOf } from '../../../http/api-key.guard.ts';
import { forbidden } from '../../../http/api-problem.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiReads } from '../../../openapi/operation.ts';
import { findOwned } from '../../owned-documents.ts';
import { ComponentRecord } from '../component-record.dto.ts';
import { presentComponent } from '../component.presenter.ts';
import { findCode, findRegistryComponent } from '../../code/find-component.ts';
import { saveComponent } from '../save-component.ts';
import { fetchCodeByKey, listAppComponents } from '../../code/fetch-code.ts';
import { ComponentSearchRecord, SearchComponentsDto } from './search.dto.ts';
import { rankComponents } from './search.ts';

const limitMax = 100;
const needsWrite = 'It needs the scope `write`, and in a session the CSRF token.';

type RequiredParts = Parts<'access' | 'secrets' | 'views' | 'commands' | 'ambient' | 'log'>;

@ApiTags('components')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class RegistryController {
  readonly #parts: RequiredParts;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
  }

  @Get('components/registry/:key')
  @ApiReads({
    summary: 'Get a component of the registry by its key, in its latest version, which is saved when it is new',
    description: `${needsWrite} A key without it gets the version that was saved last.`,
    input: AnyRequestDto,
    record: ComponentRecord,
  })
  async getRegistryComponent(
    @CalledBy() caller: Caller,
    @Param('key') key: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
    @Req() request: FastifyRequest,
  ): Promise<RecordAnswer<ComponentRecord>> {
    const component = await this.#findOrSave(caller, key, request);
    const record = presentComponent(component, await findCode(this.#parts, caller, component));
    return { data: selectFields(record, input) };
  }

  @Get('components/search')
  @ApiReads({
    summary: 'Find the keys of the components that an app has in the registry, which installs its package',
    description: needsWrite,
    input: SearchComponentsDto,
    record: ComponentSearchRecord,
    shape: 'bare',
  })
  async searchComponents(
    @CalledBy() caller: Caller,
    @Input(SearchComponentsDto) { app, query, limit }: SearchComponentsDto,
    @Req() request: FastifyRequest,
  ): Promise<ComponentSearchRecord> {
    checkCanWrite(this.#parts, request);
    const components = await listAppComponents(this.#parts, caller, app);
    return rankComponents(components, { query: query ?? '', limit: limit ?? limitMax });
  }

  /** A look-up installs the package and appends to the log: callers that may not write get what was saved before. */
  async #findOrSave(caller: Caller, key: string, request: FastifyRequest): Promise<ComponentView> {
    if (!hasScope(keyOf(request), 'write')) return this.#findSaved(caller, key);
    checkCanWrite(this.#parts, request);
    const code = await fetchCodeByKey(this.#parts, caller, key, { fingerprint: null });
    const componentId = componentIdOf(caller.workspace, codeHashOf({ code }));
    const saved = await findOwned<ComponentView>(this.#parts, caller, 'components', componentId);
    return saved ?? saveComponent(this.#parts, caller, { asked: { code }, publishes: false }, null);
  }

  async #findSaved(caller: Caller, key: string): Promise<ComponentView> {
    const saved = await findRegistryComponent(this.#parts, caller, key);
    if (saved !== undefined) return saved;
    throw forbidden(`${key} is not saved in the workspace yet: look it up once with a key that may write.`);
  }
}
