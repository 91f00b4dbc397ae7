import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '#app/cli/commands.ts'
import { DEMO_CARD } from '#app/cli/demo/demo-accounts.ts'
import { readEnv, SETTING_NAMES } from '#app/server/env.ts'
import { ROOT } from '#tests/support/product.ts'

/** Newcomers follow the README to the letter: everything it names must exist and work as described. */
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const pieces = [...readme.matchAll(/`([^`\n]+)`/g)].map(([, piece = '']) => piece)
const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>
const table = (head: string) =>
  (readme.split(head)[1] ?? '')
    .split('\n\n')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim())) ?? []

test('every file and folder it names exists', () => {
  const paths = [
    ...pieces.filter((piece) => /^(app|tests|locales|public)\//.test(piece) || piece === 'app.config.ts'),
    ...[...readme.matchAll(/\]\(((?!https?:)[^)]+)\)/g)].map(([, path = '']) => path),
  ]
  expect(paths.length).toBeGreaterThan(8)
  // Written by the command beside which it is named.
  const made = ['tests/bench/results.json', 'tests/bench/results.html']
  expect(paths.filter((path) => !made.includes(path) && !existsSync(join(ROOT, path)))).toEqual([])
})

test('every command it names exists', () => {
  const named = [...readme.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !scripts?.[name])).toEqual([])
  const commands = [...readme.matchAll(/(?:npm run -s parley --|parley\.ts) ([a-z-]+)/g)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(3)
  expect(commands.filter((name) => !(name in COMMANDS))).toEqual([])
})

test('its settings table lists every setting with its default and no other', () => {
  const rows = table('| setting | default | what it is |\n')
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
  const names = table('| package | what became of it |\n').flatMap(([, cell = '']) => cell.split(', '))
  const full = (name: string) => (name.startsWith('react-') && !dependencies?.[name] ? `@tanstack/${name}` : name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !dependencies?.[full(name)] && !devDependencies?.[full(name)])).toEqual(['vinxi'])
})

test('the library card it names is the demo’s', () => {
  expect(readme).toContain(`\`${DEMO_CARD}\``)
})
