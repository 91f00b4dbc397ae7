import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KINDS_FOLDER = join(import.meta.dirname, '../features/contributions/kinds')
export const KINDS_FILE = join(KINDS_FOLDER, 'kinds.gen.ts')

/** The registry of the kinds of activity, from their folders: a folder `open-days` holds `open-days.kind.ts`, which exports `openDays`. */
export function buildKindsFile(): string {
  const names = readdirSync(KINDS_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  const toIdentifier = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const members = names.map((name) => (toIdentifier(name) === name ? `  ${name},` : `  '${name}': ${toIdentifier(name)},`))
  return [
    '// Written by `npm run routes` from the folders here.',
    "import type { ActivityKindModule } from './define-kind.ts'",
    ...names.map((name) => `import { ${toIdentifier(name)} } from './${name}/${name}.kind.ts'`),
    '',
    'export const KINDS = {',
    ...members,
    '} satisfies Record<string, ActivityKindModule>',
    '',
  ].join('\n')
}

export const writeKinds = (): void => writeFileSync(KINDS_FILE, buildKindsFile())
