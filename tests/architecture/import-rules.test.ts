import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface Import {
  from: string
  to: string
}

interface Cruise {
  modules: number
  /** Between files of Parley, without imports of types only. */
  imports: Import[]
  violations: (Import & { rule: string })[]
}

/**
 * The folders of contributions, the lowest first; `.` are the files at their top. A file imports from its own floor and from those below it.
 */
const CONTRIBUTION_FLOORS = [
  'kinds',
  'record',
  'layers',
  'photos',
  'parts',
  'fields',
  'merging',
  'moderation',
  'questions',
  'following',
  'notes',
  'places',
  'posting',
  'responding',
  'translating',
  'managing',
  'results',
  'reading',
  'desk',
  'own',
  'pages',
  '.',
  'admin',
]
const MOST_IMPORTS_UP = 3
const MOST_FOLDER_PAIRS = 2
const MOST_FEATURE_PAIRS = 15

function cruise(folder: string): Promise<Cruise> {
  const command = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [command, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'app'],
      { cwd: folder, maxBuffer: 1e9 },
      (error, output) => {
        if (!output) return fail(error ?? new Error('No output'))
        const { modules, summary } = JSON.parse(output) as {
          modules: { source: string; dependencies: { resolved: string; dependencyTypes: string[] }[] }[]
          summary: { violations: { rule: { name: string }; from: string; to: string }[] }
        }
        done({
          modules: modules.length,
          imports: modules.flatMap(({ source, dependencies }) =>
            /\.test\.tsx?$/.test(source)
              ? []
              : dependencies
                  .filter(({ dependencyTypes }) => !dependencyTypes.includes('type-only'))
                  .map(({ resolved }) => ({ from: source, to: resolved })),
          ),
          violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
        })
      },
    )
  })
}

/** Pairs of folders right below `root` that import each other. Files beside the folders count as the folder `.`. */
function listMutualFolders(imports: readonly Import[], root: string): string[] {
  const arrows = new Set(
    imports
      .map(({ from, to }) => [findFolder(from, root), findFolder(to, root)])
      .filter(([from, to]) => from && to && from !== to)
      .map(([from, to]) => `${from} ${to}`),
  )
  return [...arrows].filter((arrow) => {
    const [from = '', to = ''] = arrow.split(' ')
    return from < to && arrows.has(`${to} ${from}`)
  })
}

function findFolder(file: string, root: string): string | undefined {
  if (!file.startsWith(`${root}/`)) return undefined
  const [folder, inside] = file.slice(root.length + 1).split('/')
  return inside === undefined ? '.' : folder
}

/** All that was found if it is more than there may be, so that a failing test names them. */
const listIfMore = <T>(most: number, found: readonly T[]): readonly T[] => (found.length > most ? found : [])

describe('import rules', () => {
  let canary: string
  let found: Cruise
  let parley: Cruise
  const importing = (path: string) => `import { value } from '#app/${path}'\nexport const used = value\n`
  const planted: Record<string, { from: string; files: Record<string, string> }> = {
    'ui-and-lib-stand-alone': { from: 'app/ui/planted.ts', files: { 'app/ui/planted.ts': importing('features/alpha/alpha.schema.ts') } },
    'features-meet-through-their-fronts': {
      from: 'app/features/beta/beta.schema.ts',
      files: { 'app/features/beta/beta.schema.ts': importing('features/alpha/inside.ts') },
    },
    'surveys-are-entered-by-their-fronts': {
      from: 'app/features/beta/beta.server.ts',
      files: { 'app/features/beta/beta.server.ts': importing('features/surveys/responses/edit-response.server.ts') },
    },
    'contributions-are-entered-by-their-fronts': {
      from: 'app/features/gamma/gamma.server.ts',
      files: { 'app/features/gamma/gamma.server.ts': importing('features/contributions/record/loading.server.ts') },
    },
    'server-code-only-from-server-files': {
      from: 'app/features/alpha/Button.tsx',
      files: { 'app/features/alpha/Button.tsx': importing('server/secret.ts') },
    },
    'server-knows-no-feature': { from: 'app/server/nosy.ts', files: { 'app/server/nosy.ts': importing('features/alpha/alpha.schema.ts') } },
    'only-the-entry-imports-the-root': { from: 'app/serve/eager.ts', files: { 'app/serve/eager.ts': importing('root/jobs.ts') } },
    'nobody-imports-routes': { from: 'app/shell/lost.ts', files: { 'app/shell/lost.ts': importing('routes/page.tsx') } },
    'participants-never-load-admin': {
      from: 'app/routes/heavy.tsx',
      files: { 'app/routes/heavy.tsx': importing('features/alpha/alpha.queries.ts') },
    },
    'no-cycles': {
      from: 'app/lib/round.ts',
      files: {
        'app/lib/round.ts': importing('lib/trip.ts').replace('used', 'value2'),
        'app/lib/trip.ts': "import { value2 } from '#app/lib/round.ts'\nexport const value = () => value2\n",
      },
    },
    'nothing-imports-tests': {
      from: 'app/lib/tested.ts',
      files: { 'app/lib/tested.ts': "import { value } from '../../tests/help.ts'\nexport const used = value\n" },
    },
  }

  beforeAll(async () => {
    canary = mkdtempSync(join(tmpdir(), 'parley-canary-'))
    for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json']) cpSync(join(root, file), join(canary, file))
    symlinkSync(join(root, 'node_modules'), join(canary, 'node_modules'))
    const plain = 'export const value = 1\n'
    const files: Record<string, string> = {
      'app/features/alpha/alpha.schema.ts': plain,
      'app/features/alpha/inside.ts': plain,
      'app/features/alpha/admin/Editor.ts': plain,
      'app/features/alpha/alpha.queries.ts': "import { value as editor } from './admin/Editor.ts'\nexport const value = editor\n",
      'app/features/surveys/responses/edit-response.server.ts': plain,
      'app/features/contributions/record/loading.server.ts': plain,
      'app/server/secret.ts': plain,
      'app/root/jobs.ts': plain,
      'app/routes/page.tsx': plain,
      'tests/help.ts': plain,
      ...Object.assign({}, ...Object.values(planted).map((one) => one.files)),
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(canary, name)), { recursive: true })
      writeFileSync(join(canary, name), text)
    }
    found = await cruise(canary)
    parley = await cruise(root)
  })
  afterAll(() => rmSync(canary, { recursive: true, force: true }))

  test.each(Object.entries(planted))('a planted violation of %s is found', (rule, { from }) => {
    expect(found.violations.filter((violation) => violation.rule === rule).map((violation) => violation.from)).toContain(from)
  })

  test('every configured rule has a planted violation', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as { default: { forbidden: { name: string }[] } }
    expect(config.forbidden.map((rule) => rule.name).toSorted()).toEqual(Object.keys(planted).toSorted())
  })

  test('Parley itself follows the rules, and its modules were really analysed', () => {
    expect(parley.violations).toEqual([])
    expect(parley.modules).toBeGreaterThan(50)
    expect(parley.imports.length).toBeGreaterThan(1000)
  })

  test('a pair of features that import each other is found', () => {
    const imports = [
      { from: 'app/features/alpha/a.server.ts', to: 'app/features/beta/deep/b.server.ts' },
      { from: 'app/features/beta/c.server.ts', to: 'app/features/alpha/a.server.ts' },
      { from: 'app/features/beta/c.server.ts', to: 'app/features/gamma/d.server.ts' },
    ]
    expect(listMutualFolders(imports, 'app/features')).toEqual(['alpha beta'])
  })

  test('no more pairs of features import each other than did', () => {
    expect(listIfMore(MOST_FEATURE_PAIRS, listMutualFolders(parley.imports, 'app/features'))).toEqual([])
  })

  test('contributions are built in floors: few files import from a floor above theirs', () => {
    const top = 'app/features/contributions'
    const within = parley.imports.flatMap((one) => {
      const [from, to] = [findFolder(one.from, top), findFolder(one.to, top)]
      return from && to ? [{ ...one, floors: [from, to].map((folder) => CONTRIBUTION_FLOORS.indexOf(folder)) }] : []
    })
    expect(within.length).toBeGreaterThan(300)
    expect(within.filter(({ floors }) => floors.includes(-1))).toEqual([])
    expect(listIfMore(MOST_FOLDER_PAIRS, listMutualFolders(within, top))).toEqual([])
    const upwards = within.filter(({ floors: [from = 0, to = 0] }) => from < to)
    expect(listIfMore(MOST_IMPORTS_UP, upwards)).toEqual([])
  })
})
