// `/configure` and `/props`: what a form asks of the component that it configures, deployed or not.
import { Controller, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { sizes } from '../../../../domain/sizes.ts';
import type { SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { selectFields } from '../../http/answer-envelope.ts';
import type { RecordAnswer } from '../../http/answer-envelope.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { ApiAsks } from '../../openapi/operation.ts';
import { readOwned } from '../owned-documents.ts';
import { CallClient } from '../sources/calls/call-client.ts';
import { requireComponent } from '../sources/channel/code-or-channel.ts';
import { FormClient } from './form-client.ts';
import { DynamicPropsRecord, OptionsRecord } from './form-records.dto.ts';
import { presentOptions, presentProps } from './form.presenter.ts';
import { ComponentConfigureDto, ComponentPropsDto, SourceConfigureDto, SourcePropsDto } from './forms.dto.ts';

type RequiredParts = Parts<
  'secrets' | 'views' | 'commands' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'
>;

@ApiTags('components')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class FormsController {
  readonly #parts: Parts<'views'>;
  readonly #forms: FormClient;

  constructor(@Inject(GatewayParts) parts: RequiredParts) {
    this.#parts = parts;
    this.#forms = new FormClient(parts, new CallClient(parts));
  }

  @Post('components/configure')
  @HttpCode(200)
  @ApiAsks({
    summary: 'The options of a prop of a component, with the values so far',
    bodyBytesMax: sizes.restBodyBytes,
    input: ComponentConfigureDto,
    record: OptionsRecord,
  })
  async configureComponent(
    @CalledBy() caller: Caller,
    @Input(ComponentConfigureDto) input: ComponentConfigureDto,
  ): Promise<RecordAnswer<OptionsRecord>> {
    const result = await this.#forms.askComponent(caller, input, { kind: 'configure', input });
    return { data: selectFields(presentOptions(result), input) };
  }

  @Post('components/props')
  @HttpCode(200)
  @ApiAsks({
    summary: 'The props that a component has with the values so far',
    bodyBytesMax: sizes.restBodyBytes,
    input: ComponentPropsDto,
    record: DynamicPropsRecord,
  })
  async componentProps(
    @CalledBy() caller: Caller,
    @Input(ComponentPropsDto) input: ComponentPropsDto,
  ): Promise<RecordAnswer<DynamicPropsRecord>> {
    const result = await this.#forms.askComponent(caller, input, { kind: 'props', input });
    return { data: selectFields(presentProps(result), input) };
  }

  @Post('sources/:id/configure')
  @HttpCode(200)
  @ApiAsks({
    summary: 'The options of a prop of a source, with its values or others',
    bodyBytesMax: sizes.restBodyBytes,
    input: SourceConfigureDto,
    record: OptionsRecord,
  })
  async configureSource(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(SourceConfigureDto) input: SourceConfigureDto,
  ): Promise<RecordAnswer<OptionsRecord>> {
    const source = await this.#find(caller, id);
    const result = await this.#forms.askSource(caller, source, { kind: 'configure', input });
    return { data: selectFields(presentOptions(result), input) };
  }

  @Post('sources/:id/props')
  @HttpCode(200)
  @ApiAsks({
    summary: 'The props that a source has with its values or others',
    bodyBytesMax: sizes.restBodyBytes,
    input: SourcePropsDto,
    record: DynamicPropsRecord,
  })
  async sourceProps(
    @CalledBy() caller: Caller,
    @Param('id') id: string,
    @Input(SourcePropsDto) input: SourcePropsDto,
  ): Promise<RecordAnswer<DynamicPropsRecord>> {
    const source = await this.#find(caller, id);
    const result = await this.#forms.askSource(caller, source, { kind: 'props', input });
    return { data: selectFields(presentProps(result), input) };
  }

  async #find(caller: Caller, id: string): Promise<SourceView> {
    const source = await readOwned(this.#parts, caller, 'sources', id);
    return requireComponent(source);
  }
}
