import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ROOT } from '#tests/support/product.ts'
import { applyRecipe, loadRecipes, parseRecipe } from '#tests/support/recipes.ts'

const recipes = loadRecipes()
const COPIED = [
  'app',
  'tests',
  'locales',
  'public',
  'app.config.ts',
  'tsconfig.json',
  'package.json',
  '.dependency-cruiser.mjs',
  '.oxfmtrc.json',
  '.oxlintrc.json',
]
const CHECKED = 'tsconfig.tsbuildinfo'
/** What every change has to pass, besides the tests that a recipe names. */
const HOUSE_TESTS = ['tests/texts/completeness.test.ts', 'tests/texts/glossary.test.ts', 'tests/architecture/names.test.ts']
const TIMEOUT_MS = 600_000

const { scripts: packageScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

let copy: string

/** Without what tells `app.config.ts` and its tools that they run inside a test. */
const toolEnv = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$|FORCE_COLOR$)/.test(name)))

/** Runs a tool in the copy. @returns its output if it failed, otherwise an empty string */
const runInCopy = (script: string, ...args: string[]): Promise<string> =>
  new Promise((done) => {
    const env = { ...toolEnv, NO_COLOR: '1' }
    execFile(process.execPath, [script, ...args], { cwd: copy, env, maxBuffer: 1e9 }, (error, output, faults) => {
      done(error ? `${output}${faults}` || error.message : '')
    })
  })

/** Files that the recipes write or change, for tools that check single files. */
const listTouchedCode = (): string[] => [
  ...new Set(recipes.flatMap(({ steps }) => steps.flatMap((step) => ('file' in step && /\.tsx?$/.test(step.file) ? [step.file] : [])))),
]

describe('the recipes, followed in a copy', () => {
  const tests = [...new Set([...HOUSE_TESTS, ...recipes.flatMap((recipe) => recipe.tests)])]

  beforeAll(async () => {
    copy = mkdtempSync(join(tmpdir(), 'parley-recipes-'))
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    // What the last type check of the repository found out, so that only what the recipes change is checked here.
    if (existsSync(join(ROOT, CHECKED))) cpSync(join(ROOT, CHECKED), join(copy, CHECKED))
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const recipe of recipes) applyRecipe(recipe, copy)
    for (const script of new Set(recipes.flatMap(({ scripts }) => scripts))) {
      const [, path = ''] = /^node (\S+)$/.exec(packageScripts[script] ?? '') ?? []
      const failure = await runInCopy(path)
      if (failure) throw new Error(`npm run ${script}: ${failure}`)
    }
    // The copy's tests use the PostgreSQL that runs for this test.
    const config = {
      include: tests,
      isolate: false,
      maxWorkers: 2,
      testTimeout: TIMEOUT_MS,
      hookTimeout: TIMEOUT_MS,
      provide: { ownerUrl: inject('ownerUrl') },
    }
    writeFileSync(join(copy, 'recipes.config.mjs'), `export default ${JSON.stringify({ cacheDir: '.vite', test: config })}\n`)
  })
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('each has steps and a test', () => {
    expect(recipes.length).toBeGreaterThan(5)
    expect(recipes.filter(({ steps, tests: own }) => steps.length === 0 || own.length === 0).map(({ path }) => path)).toEqual([])
  })

  test(
    'pass the type check',
    async () => {
      // Every checker computes the types shared by all files again, and the other core is busy with another test file.
      expect(await runInCopy('node_modules/typescript-native/bin/tsc', '--noEmit', '-p', '.', '--checkers', '1')).toBe('')
    },
    TIMEOUT_MS,
  )

  test(
    'keep the import rules',
    async () => {
      const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'app']
      expect(await runInCopy('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', ...args)).toBe('')
    },
    TIMEOUT_MS,
  )

  test(
    'are formatted, without anything the linter refuses',
    async () => {
      expect(await runInCopy('node_modules/oxfmt/bin/oxfmt', '--check', ...listTouchedCode())).toBe('')
      expect(await runInCopy('node_modules/oxlint/bin/oxlint', ...listTouchedCode())).toBe('')
    },
    TIMEOUT_MS,
  )

  test(
    'pass the tests they name, and have all their texts',
    async () => {
      expect(await runInCopy('node_modules/vitest/vitest.mjs', '--config', 'recipes.config.mjs', 'run')).toBe('')
    },
    TIMEOUT_MS,
  )
})

describe('a recipe that does not fit the code is refused', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-recipe-'))
    mkdirSync(join(folder, 'app'))
    writeFileSync(join(folder, 'app/list.ts'), 'export const LIST = [\n  first,\n  second,\n  second,\n]\n')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const follow = (info: string) => applyRecipe(parseRecipe('app/README.md', `1. Do this:\n\n\`\`\`${info}\nthird,\n\`\`\`\n`), folder)

  test.each([
    ['its anchor is gone', 'ts file=app/list.ts after="zeroth,"', '0 lines begin with zeroth,'],
    ['its anchor is ambiguous', 'ts file=app/list.ts after="second,"', '2 lines begin with second,'],
    ['a file was renamed', 'ts file=app/names.ts after="first,"', 'app/names.ts does not exist'],
    ['a file exists already', 'ts file=app/list.ts', 'app/list.ts exists already'],
    ['a block names no file', 'ts', 'cannot follow'],
  ])('%s', (_reason, info, message) => {
    expect(() => follow(info)).toThrow(message)
  })

  test('one that fits is followed at the indentation of its anchor', () => {
    follow("ts file=app/list.ts after='first,'")
    expect(readFileSync(join(folder, 'app/list.ts'), 'utf8')).toContain('  first,\n  third,\n  second,\n')
  })
})
