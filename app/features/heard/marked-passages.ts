/** A part of a text, in UTF-16 code units: `start` belongs to it, `end` does not. */
export interface Mark {
  start: number
  end: number
}

/** What the API counts: characters, not the two halves of one. */
export const countCharacters = (text: string, units: number): number => Array.from(text.slice(0, units)).length

/** The same back. */
export function findUnits(text: string, characters: number): number {
  return Array.from(text).slice(0, characters).join('').length
}

function listSegments(text: string, language: string, granularity: 'sentence' | 'word'): Mark[] {
  const found = new Intl.Segmenter(language, { granularity }).segment(text)
  return [...found].flatMap(({ segment, index, isWordLike }) => {
    const trimmed = segment.trimEnd()
    return trimmed && (granularity === 'sentence' || isWordLike) ? [{ start: index, end: index + trimmed.length }] : []
  })
}

export const listSentences = (text: string, language: string): Mark[] => listSegments(text, language, 'sentence')

/** The next sentence, or the one before; before the first the whole text is meant again. */
export function moveMark(text: string, language: string, mark: Mark | undefined, by: 1 | -1): Mark | undefined {
  const sentences = listSentences(text, language)
  if (!mark) return by > 0 ? sentences[0] : sentences.at(-1)
  const next =
    by > 0
      ? sentences.find(({ start }) => start >= mark.end)
      : sentences.findLast(({ start, end }) => start < mark.start && end <= mark.start)
  return next ?? (by > 0 ? mark : undefined)
}

/** One word more at its end, or one less. A mark keeps at least one word. */
export function growMark(text: string, language: string, mark: Mark | undefined, by: 1 | -1): Mark | undefined {
  const words = listSegments(text, language, 'word')
  const [first] = words
  if (!mark) return first
  const ends = words.map(({ end }) => end)
  const end = by > 0 ? ends.find((each) => each > mark.end) : ends.findLast((each) => each < mark.end && each > mark.start)
  return end === undefined ? mark : { start: mark.start, end }
}

/** A mark that somebody drew with the pointer, without the space around it; undefined if nothing is left. */
export function trimMark(text: string, { start, end }: Mark): Mark | undefined {
  const drawn = text.slice(start, end)
  const from = start + (drawn.length - drawn.trimStart().length)
  const to = start + drawn.trimEnd().length
  return from < to ? { start: from, end: to } : undefined
}

export interface Run extends Mark {
  /** Which of the given marks cover it. */
  marks: number[]
}

/** The text cut wherever a mark begins or ends, so that marks may overlap. */
export function cutIntoRuns(text: string, marks: readonly Mark[]): Run[] {
  const cuts = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])]
    .filter((at) => at >= 0 && at <= text.length)
    .toSorted((one, other) => one - other)
  return cuts.slice(0, -1).map((start, at) => {
    const end = cuts[at + 1] ?? text.length
    return {
      start,
      end,
      marks: marks.flatMap((mark, index) => (mark.start <= start && end <= mark.end && mark.start < mark.end ? [index] : [])),
    }
  })
}
