import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** The rules that each file breaks. */
async function lint(folder: string): Promise<Map<string, string[]>> {
  const output = await new Promise<string>((done) => {
    const command = join(root, 'node_modules/oxlint/bin/oxlint')
    execFile(process.execPath, [command, '--format', 'json', 'app'], { cwd: folder }, (_, text) => done(text))
  })
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }
  const found = new Map<string, string[]>()
  for (const { code, filename } of diagnostics) found.set(filename, [...(found.get(filename) ?? []), code])
  return found
}

describe('lint rules', () => {
  let canary: string
  let found: Map<string, string[]>
  const button = (attributes: string) => `export const Planted = () => <button${attributes}>Add</button>\n`
  const listCases = (count: number) => Array.from({ length: count }, (_, n) => `    case ${n}:\n      return ${n + 1}\n`).join('')
  const files = {
    'app/ui/untyped.tsx': button(''),
    'app/features/alpha/spread.tsx': `export const Planted = (rest: object) => <button {...rest}>Add</button>\n`,
    'app/features/alpha/passed.tsx': `export const Planted = ({ type }: { type: 'button' }) => <button type={type}>Add</button>\n`,
    'app/routes/typed.tsx': button(' type="button"'),
    'app/features/alpha/long-function.ts': `export function planted() {\n${'  void 0\n'.repeat(116)}}\n`,
    'app/features/alpha/long-component.tsx': `export function Planted() {\n${'  void 0\n'.repeat(116)}  return <p>Words</p>\n}\n`,
    'app/features/alpha/long-file.ts': Array.from({ length: 401 }, (_, n) => `export const planted${n} = ${n}\n`).join(''),
    'app/features/alpha/tangled.ts': `export const planted = (a: number) => [${'a > 1 ? 1 : 2, '.repeat(23)}]\n`,
    'app/features/alpha/table.ts': `export function planted(a: number) {\n  switch (a) {\n${listCases(40)}    default:\n      return 0\n  }\n}\n`,
  }

  beforeAll(async () => {
    canary = mkdtempSync(join(tmpdir(), 'parley-lint-'))
    for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json']) cpSync(join(root, file), join(canary, file))
    symlinkSync(join(root, 'node_modules'), join(canary, 'node_modules'))
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(canary, name, '..'), { recursive: true })
      writeFileSync(join(canary, name), text)
    }
    found = await lint(canary)
  })
  afterAll(() => rmSync(canary, { recursive: true, force: true }))

  test.each(['app/ui/untyped.tsx', 'app/features/alpha/spread.tsx', 'app/features/alpha/passed.tsx'])(
    'a planted button without a type in %s is found',
    (name) => {
      expect(found.get(name)).toContain('react(button-has-type)')
    },
  )

  test.each([
    ['long-function.ts', 'eslint(max-lines-per-function)'],
    ['long-file.ts', 'eslint(max-lines)'],
    ['tangled.ts', 'eslint(complexity)'],
  ])('a planted %s is found', (name, rule) => {
    expect(found.get(`app/features/alpha/${name}`)).toContain(rule)
  })

  test.each(['long-component.tsx', 'table.ts'])('%s is accepted: long, but simple', (name) => {
    const rules = found.get(`app/features/alpha/${name}`) ?? []
    expect(rules.filter((rule) => /max-lines|complexity/.test(rule))).toEqual([])
  })

  test('a button with a type is accepted', () => {
    expect(found.get('app/routes/typed.tsx')).toBeUndefined()
  })
})
