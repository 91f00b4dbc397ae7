import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { find, listFiles, parse, ROOT } from './source-trees.ts'

/** Lines that give a context another language without its partner, the language of the content. */
function listHalfLanguages(path: string, text: string): number[] {
  const source = parse(path, text)
  return find(source, (node) => {
    if (!ts.isObjectLiteralExpression(node)) return undefined
    const spreads = node.properties.some((one) => ts.isSpreadAssignment(one) && /ctx$/i.test(one.expression.getText(source)))
    const names = node.properties.flatMap((one) => (one.name && ts.isIdentifier(one.name) ? [one.name.text] : []))
    if (!spreads || !(names.includes('language') || names.includes('contentLanguage'))) return undefined
    return source.getLineAndCharacterOfPosition(node.getStart()).line + 1
  })
}

test('a context gets another language by `withLanguage`, which sets that of the content too', () => {
  const files = listFiles().filter((file) => file !== 'app/server/context.ts')
  expect(files.length).toBeGreaterThan(2000)
  const found = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    // To parse the few that could be meant is quicker.
    return /\.\.\.[\w.]*ctx\b/i.test(text) ? listHalfLanguages(file, text).map((line) => `${file}:${line}`) : []
  })
  expect(found).toEqual([])
})

test('a planted half of a language is found', () => {
  expect(listHalfLanguages('a.ts', "const french = { ...ctx, language: 'fr-CA' }")).toEqual([1])
  expect(listHalfLanguages('a.ts', 'const reader = {\n...context.ctx, viewer, language }')).toEqual([1])
  expect(listHalfLanguages('a.ts', 'const reader = { ...ctx, viewer }\nconst answer = { ...row, language }')).toEqual([])
})

const LOCALISERS = new Set(['getTranslation', 'localiseText'])
/** `{ language } = ctx`, or a parameter `{ language }: Ctx`. */
const TAKES_LANGUAGE = /\{(?:[^{}]*[\s,{])?(?<!: )language\b(?!:)[^{}]*\}\s*(?:=\s*ctx\b|:\s*(?:Pick<)?Ctx\b)/

/** Lines that read a site's text in the language of the interface, which may not be the one that the text is read in. */
function listInterfaceTexts(path: string, text: string): number[] {
  const source = parse(path, text)
  return find(source, (node) => {
    if (!ts.isCallExpression(node) || !LOCALISERS.has(node.expression.getText(source))) return undefined
    // Two arguments: a text of Parley’s own, which has all languages of the interface.
    if (node.arguments.length < 3) return undefined
    const language = node.arguments[1]?.getText(source) ?? ''
    const isOfInterface = /\bctx\.language$/.test(language) || (language === 'language' && TAKES_LANGUAGE.test(text))
    return isOfInterface ? source.getLineAndCharacterOfPosition(node.getStart()).line + 1 : undefined
  })
}

test('a text of a site is read in the language of the content, which may be one that the interface does not have', () => {
  const found = listFiles().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return /getTranslation|localiseText/.test(text) && !/\.test\.tsx?$/.test(file)
      ? listInterfaceTexts(file, text).map((line) => `${file}:${line}`)
      : []
  })
  expect(found).toEqual([])
})

test('a planted text in the language of the interface is found', () => {
  expect(listInterfaceTexts('a.ts', 'getTranslation(title, ctx.language, ctx.site.locale)')).toEqual([1])
  expect(listInterfaceTexts('a.ts', 'const { language, site } = ctx\nlocaliseText(title, language, site.locale)')).toEqual([2])
  expect(listInterfaceTexts('a.ts', 'const nameIt = ({ site, language }: Ctx) =>\ngetTranslation(title, language, site.locale)')).toEqual([
    2,
  ])
  expect(
    listInterfaceTexts('a.ts', 'getTranslation(title, reader.language, locale); getTranslation(title, ctx.contentLanguage, locale)'),
  ).toEqual([])
})
