import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

interface Cruise {
  modules: number
  violations: { rule: string; from: string; to: string }[]
}

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
          modules: unknown[]
          summary: { violations: { rule: { name: string }; from: string; to: string }[] }
        }
        done({ modules: modules.length, violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })) })
      },
    )
  })
}

describe('import rules', () => {
  let canary: string
  let found: Cruise
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
  })
  afterAll(() => rmSync(canary, { recursive: true, force: true }))

  test.each(Object.entries(planted))('a planted violation of %s is found', (rule, { from }) => {
    expect(found.violations.filter((violation) => violation.rule === rule).map((violation) => violation.from)).toContain(from)
  })

  test('every configured rule has a planted violation', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.mjs'))) as { default: { forbidden: { name: string }[] } }
    expect(config.forbidden.map((rule) => rule.name).toSorted()).toEqual(Object.keys(planted).toSorted())
  })

  test('Parley itself follows the rules, and its modules were really analysed', async () => {
    const { modules, violations } = await cruise(root)
    expect(violations).toEqual([])
    expect(modules).toBeGreaterThan(50)
  })
})
