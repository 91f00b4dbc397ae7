import type { ContentLanguage } from '#app/lib/languages.ts'
import { STOP_WORDS } from '#app/lib/stop-words.ts'
import { findRadicals, foldWord, stemWord } from './stem-words.ts'

/** The words of many texts, as numbers. 0 stands for a word that tells nothing, and ends a phrase. */
export interface WordStream {
  /** Stems of all texts, one text after the other. */
  stems: Uint32Array
  /** Where each text begins in `stems`, and one more for the end. */
  starts: Uint32Array
  /** Each stem as most people wrote it. */
  names: readonly string[]
  /** The stem of a word, in lower case. */
  numbers: ReadonlyMap<string, number>
}

const MIN_LETTERS = 3
/** Words that express an opinion without naming its subject. */
const WORDS_OF_OPINION: Partial<Record<ContentLanguage, string>> = {
  en: `need needs needed want wants wanted think thinks know see seen seems feel feels love loves good better best great well people lot lots way thing
    things something anything nothing everything everyone get gets getting got give gives make makes made take takes keep keeps use used using help helps
    try going come look like likes also even still always never every consider sure able including less may might rather around ago`,
  'fr-CA': `besoin veut veux voulons voudrais aimerais aime pense penser crois croire sais savoir voir sens bon bonne bons bonnes bien mieux meilleur meilleure
    gens chose choses façon rien quelqu donner prendre mettre mis avoir aller toujours jamais encore vraiment surtout peuvent pouvoir doit doivent devrait`,
  cy: `angen eisiau credu meddwl gwybod gweld teimlo caru hoffi hoffwn dda gwell gorau pobl bobl peth pethau ffordd rhywbeth popeth dim cymryd rhoi rhoddi
    defnyddio helpu ceisio mynd dod edrych hefyd eto bob amser byth dylai dylid dylem gallai`,
}
const WORD_PATTERN = /[\p{L}\p{M}\p{N}]+/gu

export const splitIntoWords = (text: string): readonly string[] => text.normalize('NFC').toLowerCase().match(WORD_PATTERN) ?? []

/** Reads all words once, then replaces each by the number of its stem. */
export function readWords(texts: readonly string[], language: ContentLanguage): WordStream {
  const { stream, starts, counts } = numberWords(texts)
  const stemOf = new Uint32Array(counts.size)
  const names = ['']
  const numbers = new Map<string, number>()
  const most = [0]
  const byStem = new Map<string, number>()
  const findStem = createStemFinder(counts, language)
  let at = -1
  for (const [word, count] of counts) {
    at += 1
    const stem = findStem(word)
    if (stem === undefined) continue
    const number = byStem.get(stem) ?? names.length
    byStem.set(stem, number)
    // In Welsh, a stem is a word: the radical names it even if mutated forms are more frequent.
    const weight = language === 'cy' && foldWord(word) !== stem ? 0 : count
    if (number === names.length || weight > (most[number] ?? 0)) {
      names[number] = word
      most[number] = weight
    }
    stemOf[at] = number
    numbers.set(word, number)
  }
  for (let place = 0; place < stream.length; place++) stream[place] = stemOf[stream[place] ?? 0] ?? 0
  return { stems: stream, starts, names, numbers }
}

/** Words in the order of their first use, with the number of their uses; and the texts as places in that order. */
function numberWords(texts: readonly string[]) {
  const places = new Map<string, number>()
  const uses: number[] = []
  const starts = new Uint32Array(texts.length + 1)
  let stream = new Uint32Array(Math.max(1024, texts.length * 16))
  let end = 0
  for (const [index, text] of texts.entries()) {
    starts[index] = end
    const words = splitIntoWords(text)
    if (end + words.length > stream.length) {
      const longer = new Uint32Array(Math.max(stream.length * 2, end + words.length))
      longer.set(stream)
      stream = longer
    }
    for (const word of words) {
      let place = places.get(word)
      if (place === undefined) {
        place = uses.length
        places.set(word, place)
        uses.push(0)
      }
      uses[place] = (uses[place] ?? 0) + 1
      stream[end++] = place
    }
  }
  starts[texts.length] = end
  const counts = new Map([...places].map(([word, place]) => [word, uses[place] ?? 0]))
  return { stream: stream.subarray(0, end), starts, counts }
}

/** @returns a function that gives the stem of a word; undefined for one that tells nothing */
function createStemFinder(counts: ReadonlyMap<string, number>, language: ContentLanguage): (word: string) => string | undefined {
  const stops = new Set(
    [...(STOP_WORDS.get(language) ?? []), WORDS_OF_OPINION[language] ?? ''].flatMap((word) => splitIntoWords(word).map(foldWord)),
  )
  const isTelling = (word: string) => word.length >= MIN_LETTERS && !stops.has(word) && !/^\p{N}/u.test(word)
  if (language !== 'cy') return (word) => (isTelling(foldWord(word)) ? stemWord(word, language) : undefined)
  const folded = new Map<string, number>()
  for (const [word, count] of counts) {
    const plain = foldWord(word)
    if (isTelling(plain)) folded.set(plain, (folded.get(plain) ?? 0) + count)
  }
  const radicals = findRadicals(folded)
  return (word) => {
    const plain = foldWord(word)
    return isTelling(plain) ? (radicals.get(plain) ?? plain) : undefined
  }
}
