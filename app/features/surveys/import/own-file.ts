import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { OwnFile } from '../export/own-format.schema.ts'
import { mapTexts } from '../questionnaire/definition-texts.ts'
import type { Definition } from '../surveys.schema.ts'
import type { ImportedElement } from './import.schema.ts'
import type { ImportedSurvey, TextRules } from './survey-draft-builder.ts'

/** A survey in our own format, as it was: its draft or, in older files, its newest version. */
export function parseOwnFile({ survey, definition: draft, versions, responses }: OwnFile, rules: TextRules): ImportedSurvey {
  const { title, titleTranslations, introTranslations = {}, thanksTranslations = {}, ...settings } = survey
  const definition: Definition = draft ?? versions[0]?.definition ?? { schema: 1, pages: [] }
  const texts = {
    title: titleTranslations ?? { [rules.fallback]: title.slice(0, 200) },
    intro: introTranslations,
    thanks: thanksTranslations,
    definition,
  }
  const found = listLanguages(texts)
  const isKnown = (language: ContentLanguage) => rules.languages.includes(language)
  const unknown = found.filter((language) => !isKnown(language))
  const notes: ImportedElement['notes'] = []
  const omitted = unknown.filter((language) => rules.choices[language] === '')
  for (const language of omitted) notes.push({ code: 'language-left-out', what: language })
  const earlier = versions.slice(1).flatMap(({ number }) => (number === undefined ? [] : [number]))
  if (earlier.length > 0) notes.push({ code: 'left-out', what: `versions: ${earlier.toReversed().join(', ')}` })
  if (responses.length > 0) notes.push({ code: 'answers-later', what: `responses: ${responses.length}` })
  return {
    ...mapTexts(texts, (text) => renameLanguages(text, rules)),
    settings,
    elements: notes.length > 0 ? [{ kind: 'survey', at: '', type: '', outcome: 'changed', became: [], notes }] : [],
    moreNotes: 0,
    languages: unknown.filter((language) => rules.choices[language] === undefined),
    hasSiteLanguage: found.some(isKnown),
  }
}

/** Languages in which there is any text. */
function listLanguages(part: object): ContentLanguage[] {
  const found = new Set<string>()
  mapTexts(part, (text) => {
    for (const [language, words] of Object.entries(text)) if (words.trim()) found.add(language)
    return text
  })
  return CONTENT_LANGUAGES.filter((language) => found.has(language))
}

/** A language that the site has comes before one that is imported as it. */
function renameLanguages(text: Translated, { languages, choices }: TextRules): Translated {
  const named = Object.entries(text) as [ContentLanguage, string][]
  const known = named.filter(([language]) => languages.includes(language))
  const renamed: Translated = Object.fromEntries(known)
  for (const [language, words] of named) {
    const target = choices[language]
    if (target && !languages.includes(language)) renamed[target] ??= words
  }
  return renamed
}
