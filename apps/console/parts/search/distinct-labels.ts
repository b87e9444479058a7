// Makes distinct labels for records: a name that several share is followed by the slug, or else by the id.

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface NamedChoice extends Choice {
  /** Absent: the value distinguishes it. */
  readonly slug?: string | null;
}

/** In the order of `choices`. `peers`: records that might share a name with them; by default `choices` itself. */
export function withDistinctLabels(
  choices: readonly NamedChoice[],
  peers: readonly NamedChoice[] = choices,
): readonly Choice[] {
  const values = new Map<string, Set<string>>();
  for (const { label, value } of [...choices, ...peers]) {
    const sharedValues = values.get(label.trim()) ?? new Set();
    values.set(label.trim(), sharedValues.add(value));
  }
  return choices.map(({ value, label, slug }) => {
    const isShared = (values.get(label.trim())?.size ?? 0) > 1;
    return { value, label: isShared ? `${label} (${slug ?? value})` : label };
  });
}
