// Shows a state as a word in a colour; the colour only repeats what the word says.

type Tone = 'good' | 'warn' | 'bad' | 'quiet' | 'accent';

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  delivered: 'good',
  succeeded: 'good',
  done: 'good',
  deploying: 'accent',
  updating: 'accent',
  running: 'accent',
  pending: 'accent',
  failing: 'warn',
  blocked: 'warn',
  paused: 'warn',
  failed: 'bad',
  parked: 'bad',
  refused: 'bad',
  disabled: 'bad',
};

export const StateTag = ({ state }: { readonly state: string }): React.ReactNode => (
  <span className={`tag ${tones[state] ?? 'quiet'}`}>{state}</span>
);

export const Tag = ({
  children,
  tone = 'quiet',
}: {
  readonly children: string;
  readonly tone?: Tone;
}): React.ReactNode => <span className={`tag plain ${tone}`}>{children}</span>;
