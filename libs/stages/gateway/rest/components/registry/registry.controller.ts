// `/v1/components/registry` and `/v1/components/search`: the components of the npm registry, by key and by app.
import { Controller, Get, Inject, Param, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { codeHashOf } from '../../../../../domain/component/program/program.ts';
import { componentIdOf } from '../../../../../domain/saved/saved.ts';
import type { ComponentView } from '../../../../../domain/views/index.ts';
import { checkMayWrite } from '../../../admission/recognise-caller.ts';
import { allows } from '../../../control/api-keys.ts';
import type { Caller } from '../../../control/api-keys.ts';
import { GatewayParts } from '../../../parts/parts.ts';
import type { Parts } from '../../../parts/parts.ts';
import { chosenFields } from '../../../http/answer.ts';
import type { One } from '../../../http/answer.ts';
import { ApiKeyGuard, CalledBy, keyOf } from '../../../http/api-key.guard.ts';
import { forbidden } from '../../../http/api-problem.ts';
import { AnyRequestDto } from '../../../http/input/any-request.dto.ts';
import { Input } from '../../../http/input/input.ts';
import { ApiReads } from '../../../openapi/operation.ts';
import { findOwned } from '../../owned.ts';
import { ComponentRecord } from '../component-record.dto.ts';
import { presentComponent } from '../component.presenter.ts';
import { findCode, findLookedUp } from '../../code/find-component.ts';
import { saveComponent } from '../save-component.ts';
import { findKey, listApp } from '../../code/fetch-code.ts';
import { ComponentSearchRecord, SearchComponentsDto } from './search.dto.ts';
import { searched } from './search.ts';

const limitMax = 100;
const needsWrite = 'It needs the scope `write`, and in a session the CSRF token.';

type Needed = Parts<'access' | 'secrets' | 'views' | 'commands' | 'ambient' | 'log'>;

@ApiTags('components')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class RegistryController {
  readonly #parts: Needed;

  constructor(@Inject(GatewayParts) parts: Needed) {
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
  ): Promise<One<ComponentRecord>> {
    const component = await this.#component(caller, key, request);
    const shown = presentComponent(component, await findCode(this.#parts, caller, component));
    return { data: chosenFields(shown, input) };
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
    checkMayWrite(this.#parts, request);
    const components = await listApp(this.#parts, caller, app);
    return searched(components, { query: query ?? '', limit: limit ?? limitMax });
  }

  /** A look-up installs the package and appends to the log: callers that may not write get what was saved before. */
  async #component(caller: Caller, key: string, request: FastifyRequest): Promise<ComponentView> {
    if (!allows(keyOf(request), 'write')) return this.#savedBefore(caller, key);
    checkMayWrite(this.#parts, request);
    const code = await findKey(this.#parts, caller, key, { fingerprint: null });
    const componentId = componentIdOf(caller.workspace, codeHashOf({ code }));
    const saved = await findOwned<ComponentView>(this.#parts, caller, 'components', componentId);
    return saved ?? saveComponent(this.#parts, caller, { asked: { code }, publishes: false }, null);
  }

  async #savedBefore(caller: Caller, key: string): Promise<ComponentView> {
    const saved = await findLookedUp(this.#parts, caller, key);
    if (saved !== undefined) return saved;
    throw forbidden(`${key} is not saved in the workspace yet: look it up once with a key that may write.`);
  }
}
