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
  const files = {
    'app/ui/untyped.tsx': button(''),
    'app/features/alpha/spread.tsx': `export const Planted = (rest: object) => <button {...rest}>Add</button>\n`,
    'app/features/alpha/passed.tsx': `export const Planted = ({ type }: { type: 'button' }) => <button type={type}>Add</button>\n`,
    'app/routes/typed.tsx': button(' type="button"'),
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

  test('a button with a type is accepted', () => {
    expect(found.get('app/routes/typed.tsx')).toBeUndefined()
  })
})
