// Returns a build's whole content as text, to compare two builds.
import { viewDefinitions } from '../../domain/views/index.ts';
import type { ViewBuild } from '../../view-store/index.ts';

export async function snapshot(build: ViewBuild): Promise<string[]> {
  const lines: string[] = [];
  for (const { name } of viewDefinitions) {
    for await (const { id, version, value } of build.all(name)) {
      lines.push(`${name} ${id} ${version} ${JSON.stringify(value)}`);
    }
  }
  return lines;
}
