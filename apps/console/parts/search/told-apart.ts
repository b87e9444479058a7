// Makes distinct labels for records: a name that several share is followed by the slug, or else by the id.

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Named extends Choice {
  /** Absent: the value distinguishes it. */
  readonly slug?: string | null;
}

/** In the order of `named`. `among`: records that might share a name with them; by default `named` itself. */
export function toldApart(named: readonly Named[], among: readonly Named[] = named): readonly Choice[] {
  const values = new Map<string, Set<string>>();
  for (const { label, value } of [...named, ...among]) {
    const sharing = values.get(label.trim()) ?? new Set();
    values.set(label.trim(), sharing.add(value));
  }
  return named.map(({ value, label, slug }) => {
    const isShared = (values.get(label.trim())?.size ?? 0) > 1;
    return { value, label: isShared ? `${label} (${slug ?? value})` : label };
  });
}
