import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '#app/cli/commands.ts'
import { DEMO_CARD } from '#app/cli/demo/demo-accounts.ts'
import { readEnv, SETTING_NAMES } from '#app/server/env.ts'
import { ROOT } from '#tests/support/product.ts'

/** Newcomers follow these to the letter: everything they name must exist and work as described. */
const PAGES = ['README.md', 'app/README.md', 'app/cli/README.md']
const [readme = '', inside = '', running = ''] = PAGES.map((path) => readFileSync(join(ROOT, path), 'utf8'))
const everything = readme + inside + running
const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>
const table = (text: string, head: string) =>
  (text.split(head)[1] ?? '')
    .split('\n\n')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim())) ?? []

test.each(PAGES)('every file and folder that %s names exists', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const pieces = [...text.matchAll(/`([^`\n]+)`/g)].map(([, piece = '']) => piece)
  const paths = [
    ...pieces.filter((piece) => /^(app|tests|locales|public)\//.test(piece) || piece === 'app.config.ts'),
    ...[...text.matchAll(/\]\(((?!https?:|#)[^)]+)\)/g)].map(([, path = '']) => join(dirname(page), path)),
  ]
  expect(paths.length).toBeGreaterThan(0)
  // Written by the command beside which it is named.
  const made = ['tests/bench/results.json', 'tests/bench/results.html']
  expect(paths.filter((path) => !made.includes(path) && !existsSync(join(ROOT, path.replace('/**', ''))))).toEqual([])
})

test('the README fits on two screens, with pictures that load at once', () => {
  expect(readme.split('\n').length).toBeLessThan(80)
  const pictures = [...readme.matchAll(/<img src="([^"]+)"[^>]* alt="[^"]+">/g)].map(([, path = '']) => path)
  expect(pictures).toHaveLength(4)
  expect(pictures.filter((path) => statSync(join(ROOT, path)).size > 150_000)).toEqual([])
})

test('every command they name exists', () => {
  const named = [...everything.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !scripts?.[name])).toEqual([])
  const commands = [...everything.matchAll(/(?:npm run -s parley --|parley\.js) ([a-z-]+)/g)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(3)
  expect(commands.filter((name) => !(name in COMMANDS))).toEqual([])
})

test('the settings table lists every setting with its default and no other', () => {
  const rows = table(running, '| setting | default | what it is |\n')
  const defaults = new Map(
    rows.flatMap(([, names = '', given = '']) => {
      const values = given.replaceAll('`', '').split(', ')
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = ''], at): [string, string] => [name, values[at] ?? ''])
    }),
  )
  // Alternative endpoints of third parties are only for tests.
  const forTests = /^(SENTRY|SEGMENT|INTERCOM)_ENDPOINT$/
  expect(SETTING_NAMES.filter((name) => !defaults.has(name) && !forTests.test(name))).toEqual([])
  expect([...defaults.keys()].filter((name) => !SETTING_NAMES.includes(name))).toEqual([])
  const env = readEnv({}) as Record<string, unknown>
  const numbers = [...defaults].filter(([name]) => typeof env[name] === 'number')
  expect(numbers.length).toBeGreaterThan(3)
  expect(numbers.map(([name, told]) => [name, told])).toEqual(numbers.map(([name]) => [name, String(env[name])]))
})

test('every package of the design card is a dependency, with one exception', () => {
  const names = table(inside, '| package | what became of it |\n').flatMap(([, cell = '']) => cell.split(', '))
  const full = (name: string) => (name.startsWith('react-') && !dependencies?.[name] ? `@tanstack/${name}` : name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !dependencies?.[full(name)] && !devDependencies?.[full(name)])).toEqual(['vinxi'])
})

test('the library card that the README names is the demo’s', () => {
  expect(readme).toContain(`\`${DEMO_CARD}\``)
})
