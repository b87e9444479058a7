// `/configure` and `/props`: what a form asks of the component that it configures, deployed or not.
import { Controller, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { sizes } from '../../../../domain/sizes.ts';
import type { SourceView } from '../../../../domain/views/index.ts';
import type { Caller } from '../../control/api-keys.ts';
import { GatewayParts } from '../../parts/parts.ts';
import type { Parts } from '../../parts/parts.ts';
import { chosenFields } from '../../http/answer.ts';
import type { One } from '../../http/answer.ts';
import { ApiKeyGuard, CalledBy } from '../../http/api-key.guard.ts';
import { Input } from '../../http/input/input.ts';
import { ApiAsks } from '../../openapi/operation.ts';
import { readOwned } from '../owned.ts';
import { CallDesk } from '../sources/calls/call-desk.ts';
import { checkedComponent } from '../sources/channel/asked-channel.ts';
import { FormDesk } from './ask-form.ts';
import { DynamicPropsRecord, OptionsRecord } from './form-records.dto.ts';
import { presentOptions, presentProps } from './form.presenter.ts';
import { ComponentConfigureDto, ComponentPropsDto, SourceConfigureDto, SourcePropsDto } from './forms.dto.ts';

type Needed = Parts<
  'secrets' | 'views' | 'commands' | 'log' | 'watch' | 'replies' | 'limits' | 'ambient' | 'instanceId'
>;

@ApiTags('components')
@UseGuards(ApiKeyGuard)
@Controller('v1')
export class FormsController {
  readonly #parts: Parts<'views'>;
  readonly #forms: FormDesk;

  constructor(@Inject(GatewayParts) parts: Needed) {
    this.#parts = parts;
    this.#forms = new FormDesk(parts, new CallDesk(parts));
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
  ): Promise<One<OptionsRecord>> {
    const result = await this.#forms.ofComponent(caller, input, { kind: 'configure', input });
    return { data: chosenFields(presentOptions(result), input) };
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
  ): Promise<One<DynamicPropsRecord>> {
    const result = await this.#forms.ofComponent(caller, input, { kind: 'props', input });
    return { data: chosenFields(presentProps(result), input) };
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
  ): Promise<One<OptionsRecord>> {
    const source = await this.#find(caller, id);
    const result = await this.#forms.ofSource(caller, source, { kind: 'configure', input });
    return { data: chosenFields(presentOptions(result), input) };
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
  ): Promise<One<DynamicPropsRecord>> {
    const source = await this.#find(caller, id);
    const result = await this.#forms.ofSource(caller, source, { kind: 'props', input });
    return { data: chosenFields(presentProps(result), input) };
  }

  async #find(caller: Caller, id: string): Promise<SourceView> {
    const source = await readOwned(this.#parts, caller, 'sources', id);
    return checkedComponent(source);
  }
}
