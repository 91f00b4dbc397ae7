export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listAt = (of: Json, name: string): unknown[] => (Array.isArray(of[name]) ? of[name] : [])

/** @returns undefined if it is no survey of SurveyJS */
export function readSurveyJs(text: string): Json | undefined {
  const survey: unknown = JSON.parse(text)
  return isJson(survey) && ['pages', 'elements', 'questions'].some((name) => Array.isArray(survey[name])) ? survey : undefined
}

/** Where the elements of a page, a panel or a survey are. */
export const ELEMENT_LISTS = ['elements', 'questions', 'templateElements'] as const
/** Where a question has its choices, rows and columns. */
export const ITEM_LISTS = ['choices', 'rows', 'columns', 'items', 'rateValues', 'areas'] as const

/** A copy with a mark in the place of each text that participants read; the mark of a part is remembered by the part of the original. */
export class MarkedSurvey {
  readonly survey: Json
  readonly #marks = new Map<unknown, string>()
  /** Marks of items that are plain values, by their list. */
  readonly #plain = new Map<unknown[], string[]>()
  #count = 0

  constructor(survey: Json) {
    const pages = listAt(survey, 'pages').map((page) => (isJson(page) ? this.#markPage(page) : page))
    this.survey = { ...this.#markElements(survey), ...(pages.length > 0 && { pages }) }
  }

  /** The mark of the words that ask for one more. */
  addMarkOf(part: unknown): string {
    return `${this.markOf(part)} more`
  }

  markOf(part: unknown): string {
    return this.#marks.get(part) ?? ''
  }

  itemMark(list: unknown[], index: number): string {
    return this.#marks.get(list[index]) ?? this.#plain.get(list)?.[index] ?? ''
  }

  #next(): string {
    this.#count += 1
    return `line ${this.#count}`
  }

  #markPage(page: Json): Json {
    const { description: _description, ...rest } = this.#markElements(page)
    return rest
  }

  #markElements(part: Json): Json {
    const lists = ELEMENT_LISTS.filter((name) => Array.isArray(part[name]))
    const marked = lists.map((name) => [name, listAt(part, name).map((each) => (isJson(each) ? this.#markElement(each) : each))])
    return { ...part, ...Object.fromEntries(marked) }
  }

  #markElement(element: Json): Json {
    const mark = this.#next()
    this.#marks.set(element, mark)
    const { description: _description, ...rest } = this.#markElements(element)
    const lists = ITEM_LISTS.filter((name) => Array.isArray(element[name])).map((name) => [name, this.#markItems(listAt(element, name))])
    const field = element['type'] === 'html' ? 'html' : 'title'
    const type = String(element['type']).toLowerCase()
    const more = type === 'paneldynamic' ? 'panelAddText' : type === 'matrixdynamic' ? 'addRowText' : undefined
    return {
      ...rest,
      ...Object.fromEntries(lists),
      [field]: replaceText(element[field], mark),
      ...(more && { [more]: this.addMarkOf(element) }),
    }
  }

  #markItems(list: unknown[]): unknown[] {
    const plain: string[] = []
    this.#plain.set(list, plain)
    return list.map((item, index) => {
      const mark = this.#next()
      if (!isJson(item)) {
        plain[index] = mark
        const [value] = typeof item === 'string' ? item.split('|') : [item]
        return { value, text: mark }
      }
      this.#marks.set(item, mark)
      // A column of a table, or a field of several, is named and titled like a question.
      const field = item['value'] === undefined && item['name'] !== undefined ? 'title' : 'text'
      const lists = ITEM_LISTS.filter((name) => Array.isArray(item[name])).map((name) => [name, this.#markItems(listAt(item, name))])
      return { ...item, ...Object.fromEntries(lists), [field]: replaceText(item[field], mark) }
    })
  }
}

const replaceText = (text: unknown, mark: string): unknown =>
  isJson(text) ? Object.fromEntries(Object.keys(text).map((name) => [name, mark])) : mark

/** The languages in which a text is said. */
export const listTextLanguages = (text: unknown): string[] =>
  isJson(text) ? Object.entries(text).flatMap(([name, said]) => (typeof said === 'string' && said.trim() ? [name] : [])) : ['default']
