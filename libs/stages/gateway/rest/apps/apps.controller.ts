// `/v1/apps`: the apps for which accounts can be created: those that components name, and a list of well-known ones.
import { Controller, Get, Inject, Param, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { appSlug } from '../../../../domain/account/account-bounds.ts';
import { appIdOf, isSecretField, labelOf } from '../../../../domain/account/apps/catalogue.ts';
import type { App } from '../../../../domain/account/apps/catalogue.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { PageAnswer, RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { notFound } from '../../http/api-problem.ts';
import { cursorOfId, idOfCursor } from '../../http/pages/cursor.ts';
import { AnyRequestDto } from '../../http/input/any-request.dto.ts';
import { Input } from '../../http/input/input.ts';
import { ApiReads } from '../../openapi/operation.ts';
import { readPageOf } from '../lists/page-reader.ts';
import { AppList } from './app-list.ts';
import { readCatalogue } from './read-catalogue.ts';
import { AppRecord } from './app-record.dto.ts';
import { AppsDto } from './apps.dto.ts';

@ApiTags('apps')
@UseGuards(ApiKeyGuard)
@Controller('v1/apps')
export class AppsController {
  readonly #parts: Parts<'views'>;

  constructor(@Inject(GatewayParts) parts: Parts<'views'>) {
    this.#parts = parts;
  }

  @Get()
  @ApiReads({
    summary: 'List apps, by slug',
    description: 'Well-known ones, and those that the newest 2,000 sources and as many saved components name.',
    input: AppsDto,
    record: AppRecord,
    shape: 'page',
    order: 'by slug',
  })
  async listApps(@CalledBy() caller: Caller, @Input(AppsDto) input: AppsDto): Promise<PageAnswer<AppRecord>> {
    const appList = new AppList(
      (await readCatalogue(this.#parts.views(), caller.workspace)).filter((app) => matchesQuery(app, input)),
    );
    const cursors = {
      positionOfCursor: (cursor: string) => ({ sort: 0, id: idOfCursor(cursor, (text) => appSlug.test(text)) }),
      cursorOf: ({ id }: { readonly id: string }) => cursorOfId(id),
    };
    const { page_info, documents } = await readPageOf(appList, cursors, input);
    return { page_info, data: documents.map(({ id }) => selectFields(presentApp(appList.app(id)), input)) };
  }

  @Get(':app')
  @ApiReads({ summary: 'Get an app by its id or slug', input: AnyRequestDto, record: AppRecord })
  async getApp(
    @CalledBy() caller: Caller,
    @Param('app') idOrSlug: string,
    @Input(AnyRequestDto) input: AnyRequestDto,
  ): Promise<RecordAnswer<AppRecord>> {
    const catalogue = await readCatalogue(this.#parts.views(), caller.workspace);
    const app = catalogue.find(({ slug }) => slug === idOrSlug || appIdOf(slug) === idOrSlug);
    if (app === undefined) throw notFound();
    return { data: selectFields(presentApp(app), input) };
  }
}

function matchesQuery(app: App, { q, has_components, has_triggers, has_actions }: AppsDto): boolean {
  const searchText = q?.trim().toLowerCase() ?? '';
  if (searchText !== '' && ![app.slug, app.name.toLowerCase()].some((text) => text.includes(searchText))) return false;
  if (has_components === '1' && !app.hasSources && !app.hasActions) return false;
  if (has_triggers === '1' && !app.hasSources) return false;
  return has_actions !== '1' || app.hasActions;
}

const presentApp = ({ slug, name, auth, fields, hasSources, hasActions }: App): AppRecord => ({
  id: appIdOf(slug),
  name_slug: slug,
  name,
  auth_type: auth,
  custom_fields_json: JSON.stringify(fields.map(customField)),
  has_triggers: hasSources,
  has_actions: hasActions,
});

const customField = (name: string) => ({
  name,
  label: labelOf(name),
  description: null,
  default: null,
  optional: false,
  type: isSecretField(name) ? 'password' : 'string',
});
