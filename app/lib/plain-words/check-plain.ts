import type { ContentLanguage } from '../languages.ts'
import { toPlainText } from '../rich-text.ts'
import { ENGLISH } from './english.ts'
import { findJargon } from './find-jargon.ts'
import { FRENCH } from './french.ts'
import type { LanguageRules } from './language-rules.ts'
import type { PlainChoices, PlainFinding, PlainPassage } from './plain-passage.ts'
import { WELSH } from './welsh.ts'

const RULES: Readonly<Partial<Record<ContentLanguage, LanguageRules>>> = { en: ENGLISH, 'fr-CA': FRENCH, cy: WELSH }

/**
 * What in these texts is hard to read or makes an answer hard to give, in the order of the texts. The same texts always give the same findings.
 * A language without rules is only checked for the words of its list.
 */
export function checkPlain(passages: readonly PlainPassage[], language: ContentLanguage, jargon: readonly string[]): PlainFinding[] {
  const rules = RULES[language]
  return passages.flatMap((passage) => {
    const { field, isQuestion, choices } = passage
    const text = toPlainText(passage.text)
    const sentences = splitIntoSentences(text)
    const found: Omit<PlainFinding, 'field'>[] = findJargon(text, language, jargon).map((quote) => ({ code: 'jargon', quote }))
    if (rules) {
      for (const sentence of sentences) {
        const words = countWords(sentence)
        if (words > rules.mostWords) found.push({ code: 'long-sentence', quote: sentence, count: words })
      }
      if (isQuestion) found.push(...checkQuestion(sentences, rules))
    }
    const inChoices = rules && choices && text ? checkChoices(choices, rules) : []
    return [...found.map((each) => ({ ...each, field })), ...inChoices]
  })
}

/** A sentence ends at a full stop, question mark or exclamation mark before a space, and at the end of a line. */
const splitIntoSentences = (text: string): string[] =>
  text
    .split(/(?<=[.!?…])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)

const countWords = (sentence: string): number => sentence.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0

/** As the patterns expect it. */
const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim()

function checkQuestion(sentences: readonly string[], rules: LanguageRules): Omit<PlainFinding, 'field'>[] {
  const found: Omit<PlainFinding, 'field'>[] = []
  for (const sentence of sentences) {
    const folded = foldCase(sentence)
    if (isLeading(folded, rules)) found.push({ code: 'leading', quote: sentence })
    if (asksTwoThings(folded, rules)) found.push({ code: 'double', quote: sentence })
  }
  const asked = sentences.filter((sentence) => sentence.endsWith('?'))
  if (asked.length > 1 && !found.some(({ code }) => code === 'double')) found.push({ code: 'double', quote: asked.join(' ') })
  return found
}

const isLeading = (sentence: string, { leading, sides }: LanguageRules): boolean =>
  leading.some((pattern) => pattern.test(sentence)) || sides.some(({ one, other }) => one.test(sentence) && !other.test(sentence))

function asksTwoThings(sentence: string, { closed, and, pairs, secondQuestion }: LanguageRules): boolean {
  if (!sentence.endsWith('?')) return false
  return secondQuestion.test(sentence) || (closed.test(sentence) && and.test(sentence.replaceAll(pairs, ' ')))
}

/** Fewer options that take a side are no scale. */
const FEWEST_SIDES = 3
/** This part of the options, at least, takes a side or is graded if they are a scale. */
const SCALE_PART = 0.5

function checkChoices({ field, labels, isScale, hasOther }: PlainChoices, rules: LanguageRules): PlainFinding[] {
  const written = labels.map(foldCase).filter(Boolean)
  if (written.length < 2) return []
  const sides = written.map((label) => findSide(label, rules))
  const [positive, negative] = [sides.filter((side) => side > 0).length, sides.filter((side) => side < 0).length]
  const graded = written.filter((label) => rules.degree.test(label)).length
  const isGraded = isScale || Math.max(positive + negative, graded) > written.length * SCALE_PART
  const quote = labels.filter((label) => label.trim()).join(' · ')
  if (isGraded && positive + negative >= FEWEST_SIDES && positive !== negative)
    return [{ code: 'unbalanced', field, quote, count: positive, against: negative }]
  if (isGraded || hasOther || written.some((label) => rules.noneOption.test(label))) return []
  return [{ code: 'missing-none', field, quote }]
}

/** 1 for an option on the positive side, -1 for one on the negative side, 0 for all others. */
function findSide(label: string, { positive, negative, negation, neutral }: LanguageRules): -1 | 0 | 1 {
  if (neutral.test(label)) return 0
  if (negative.test(label)) return -1
  return positive.test(label) ? (negation.test(label) ? -1 : 1) : 0
}
