import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { minify } from 'terser'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import type { TestSpecification, Vitest } from 'vitest/node'
import { lazyServerCalls } from './app/cli/lazy-server-calls.ts'
import { createParticipantRoutes } from './app/cli/participant-routes.ts'
import { SCRIPT_GROUPS } from './app/cli/script-groups.ts'
import { readStyleRules } from './app/cli/style-rules.ts'
import { LANGUAGES } from './app/lib/languages.ts'
import { NAMESPACES } from './app/lib/namespaces.ts'
import { toBrotli } from './app/serve/encoding.ts'
import { PREPARED_STYLESHEET, type Stylesheet } from './app/serve/page-styles.ts'
import { LONG_SERVER_TESTS, NEWCOMER_JOURNEYS, readSuite } from './app/cli/test-suites.ts'

const root = fileURLToPath(new URL('.', import.meta.url))
const testing = process.env['VITEST'] === 'true'

/** Emits the texts where the browser requests them, `/locales/{lng}/{ns}.json`. In development Vite serves the folder itself. */
const localesPlugin: Plugin = {
  name: 'parley:locales',
  applyToEnvironment: (environment) => environment.name === 'client',
  generateBundle() {
    for (const language of LANGUAGES) {
      for (const namespace of NAMESPACES) {
        const fileName = `locales/${language}/${namespace}.json`
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(JSON.parse(readFileSync(`${root}${fileName}`, 'utf8'))) })
      }
    }
  },
}

/** Runs the code that every page needs through a second, slower minifier: it saves more than a kilobyte per page. */
const frameworkPlugin: Plugin = {
  name: 'parley:framework',
  applyToEnvironment: (environment) => environment.name === 'client',
  async generateBundle(_, bundle) {
    const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'framework')
    if (chunk?.type !== 'chunk') throw new Error('The bundle has no framework chunk')
    const { code } = await minify(chunk.code, { module: true, compress: { passes: 3, ecma: 2020 } })
    chunk.code = code ?? chunk.code
  },
}

/** Files of script and style. */
const COMPRESSED = /^assets\/[\w.-]+\.(js|css)$/

/** Compresses these as well as Brotli can: it takes seconds, and saves up to a tenth of what the server would send otherwise. */
const brotliPlugin: Plugin = {
  name: 'parley:brotli',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir }, bundle) {
    if (!dir) throw new Error('The bundle has no folder')
    const paths = Object.keys(bundle).filter((name) => COMPRESSED.test(name))
    await Promise.all(paths.map(async (name) => writeFile(join(dir, `${name}.br`), await toBrotli(await readFile(join(dir, name)), 11))))
  },
}

/** Prepares the participants' stylesheet, so that pages can contain the rules they use. */
const pageStylesPlugin: Plugin = {
  name: 'parley:page-styles',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle(_, bundle) {
    const file = Object.values(bundle).find(({ fileName }) => /^assets\/app-[\w-]+\.css$/.test(fileName))
    if (file?.type !== 'asset') throw new Error('The bundle has no stylesheet for participants')
    const sheet: Stylesheet = { href: `/${file.fileName}`, rules: readStyleRules(file.source.toString()) }
    await writeFile(join(root, PREPARED_STYLESHEET), JSON.stringify(sheet))
  },
}

/** Tests that replace a module or a global, which must not leak into other files, or look at what a process has named so far. */
const ISOLATED = [
  'app/server/db/prepared-at-commit.test.ts',
  'tests/api/accounts-registration.test.ts',
  'tests/api/accounts-sessions.test.ts',
  'tests/api/searched-choices.test.ts',
  'app/features/opencities/synchronise.test.ts',
]

/** Tests of how long somebody waits: they have the machine to themselves. */
const MEASURING = ['tests/run/flood.test.ts', 'tests/run/map-speed.test.ts', 'tests/run/untrusted-input.test.ts']

const suite = readSuite(process.env['TEST_SUITE'])
const SERVER_TESTS = ['app/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}']

/** Test files of more than a quarter of a minute. Begun last, each would keep one core busy while the others wait. */
const LONGEST = [
  'tests/run/rolling-upgrade.test.ts',
  'tests/e2e/focus.test.ts',
  'tests/e2e/accounts.test.ts',
  'tests/e2e/contribution-pages.test.ts',
  'tests/architecture/recipes.test.ts',
  'tests/api/strangers.test.ts',
  'tests/api/accounts-sessions.test.ts',
  'app/features/opencities/synchronise.test.ts',
  'app/server/read-in-own-process.test.ts',
  'app/server/mail/mail.test.ts',
  'tests/api/accounts-registration.test.ts',
]

/** Starts the longest test files first: a clean clone does not know how long they took, and would go by their size. */
class LongestFirst {
  private readonly vitest: Vitest
  constructor(vitest: Vitest) {
    this.vitest = vitest
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.loadUsual()).shard(files)
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await (await this.loadUsual()).sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId === root + name)
    // A worker is only reused by the next file of the same project.
    return [...Map.groupBy(sorted, ({ project }) => project).values()].flatMap((own) => [
      ...own.filter(isLong),
      ...own.filter((file) => !isLong(file)),
    ])
  }

  /** Loaded only here, because builds read this file too. */
  private async loadUsual() {
    const { BaseSequencer } = await import('vitest/node')
    return new BaseSequencer(this.vitest)
  }
}

const participants = createParticipantRoutes()

/** The only configuration of build, development server and tests (client's card: `app.config.ts`). */
export default defineConfig({
  root,
  server: { allowedHosts: true },
  build: { target: 'es2022' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every page loads the names of all scripts, and hashes do not compress: one character less of each saves 150 bytes a page.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              // Few files compress better than many small ones, and none is named in the list that every page loads.
              groups: SCRIPT_GROUPS,
            },
          },
        },
      },
    },
    // Only the client's build loads the code for calls later (`app/cli/lazy-server-calls.ts`).
    ssr: { build: { rolldownOptions: { checks: { ineffectiveDynamicImport: false } } } },
  },
  // The shim bundles a copy of what React has had built in since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  // Otherwise hundreds of small files would be read at every start.
  ssr: { noExternal: testing ? [] : ['drizzle-orm'] },
  plugins: testing
    ? [react()]
    : [
        tailwindcss(),
        localesPlugin,
        frameworkPlugin,
        brotliPlugin,
        pageStylesPlugin,
        participants.vite,
        lazyServerCalls,
        tanstackStart({
          srcDirectory: 'app',
          router: {
            quoteStyle: 'single',
            semicolons: false,
            plugins: [participants.generator],
            // A page's loader is bundled with its component: nobody loads code of pages they do not open.
            codeSplittingOptions: { defaultBehavior: [['loader', 'component'], ['errorComponent'], ['notFoundComponent']] },
          },
          importProtection: {
            behavior: 'error',
            client: { files: ['**/*.server.*', '**/app/server/**', '**/app/cli/**', '**/app/serve/**'] },
          },
        }),
        react(),
      ],
  test: {
    // As many as there are cores: more of them end no sooner, and let each test take twice as long (decision 0281).
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Of thousands of tests one fails by chance now and then. The report says which were retried and why; if there are too many, the run fails.
    retry: 1,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 20_000 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './tests/support/time-limit.ts', './tests/support/retried-tests.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: suite === 'rest' ? LONG_SERVER_TESTS : SERVER_TESTS,
          exclude: ['tests/e2e/**', 'tests/run/**', ...ISOLATED, ...(suite === 'newcomer' ? LONG_SERVER_TESTS : [])],
          // Test files of one worker share the modules they import: two fifths less work than loading them for each file.
          isolate: false,
          globalSetup: ['tests/support/cluster.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: suite === 'newcomer' ? [] : ISOLATED, globalSetup: ['tests/support/cluster.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'run',
          include: suite === 'newcomer' ? [] : ['tests/run/**/*.test.ts'],
          exclude: MEASURING,
          globalSetup: ['tests/support/cluster.ts', 'tests/support/built.ts'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'measuring',
          include: suite === 'newcomer' ? [] : MEASURING,
          globalSetup: ['tests/support/cluster.ts', 'tests/support/built.ts'],
          testTimeout: 300_000,
          // After all others and one by one, so that nothing else is measured.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: suite === 'newcomer' ? NEWCOMER_JOURNEYS : ['tests/e2e/**/*.test.ts'],
          exclude: suite === 'rest' ? NEWCOMER_JOURNEYS : [],
          // Test files of one worker share its browser too, and what it knows to be accessible.
          isolate: false,
          globalSetup: ['tests/support/cluster.ts', 'tests/support/product.ts'],
          testTimeout: 600_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})
