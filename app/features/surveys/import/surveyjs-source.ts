import type { Translated } from '#app/lib/translated.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { joinAll } from './build-condition.ts'
import type { ImportedElement } from './import.schema.ts'
import type { Expression } from './parse-expression.ts'
import type { Repeat } from './repeats.ts'
import { NONE_LABEL, OTHER_LABEL, REFUSE_LABEL, UNSURE_LABEL } from './own-labels.ts'
import type { ListedItem, SurveyDraftBuilder, TextByLanguage } from './survey-draft-builder.ts'
import { TrackedRecord } from './tracked-record.ts'

/** Where an element is: inside panels with a condition of theirs. */
export interface ElementContext {
  showIf: Condition | undefined
  depth: number
  isHidden?: boolean
  /** How many copies there are of it, by the panels around it that repeat. */
  copies?: number
}

/** When a part is shown by a trigger: the conditions of those that name it. */
export type Triggers = ReadonlyMap<string, readonly Expression[]>

/** What all kinds of questions have. */
export interface CommonFields {
  id: string
  title: Translated
  help?: Translated
  required?: true
  showIf?: Condition
}

export interface SurveyJsItem extends ListedItem {
  imageLink: string
}

/** Its type; SurveyJS takes it in any case. */
export const readType = (element: TrackedRecord): string => element.text('type').toLowerCase().replaceAll(' ', '')

/** How many rows or panels there can be. Rows that are there at the start are shown, but need no answer, so only the first is always asked. */
export function readRepeat(element: TrackedRecord, of: 'Row' | 'Panel'): Repeat {
  const [least = 0, limit] = [element.number(`min${of}Count`), element.number(`max${of}Count`)]
  const start = Math.max(least, element.number(`${of.toLowerCase()}Count`) ?? (of === 'Row' ? 2 : 0))
  const ends = of === 'Row' ? 's' : ''
  const [mayAdd, mayRemove] = ['allowAdd', 'allowRemove'].map((name) => element.get(`${name}${of}${ends}`) !== false)
  const always = mayRemove ? Math.max(least, Math.min(1, start)) : start
  const most = mayAdd ? limit : start
  return { always: Math.round(always), most: most === undefined ? undefined : Math.max(Math.round(most), Math.round(always)) }
}

/** Reads texts by language and lists of choices from SurveyJS elements. */
export class SurveyJsSource {
  readonly drafting: SurveyDraftBuilder
  /** The language of texts without one. */
  readonly #own: string
  readonly #triggers: Triggers
  readonly #entries = new Map<TrackedRecord, ImportedElement>()

  constructor(drafting: SurveyDraftBuilder, own: string, triggers: Triggers) {
    this.drafting = drafting
    this.#own = own
    this.#triggers = triggers
  }

  /** The report's entry for a part; copies of it share theirs. */
  open(part: TrackedRecord, kind: ImportedElement['kind'], name: string, type: string): ImportedElement {
    const known = this.#entries.get(part)
    if (known) this.drafting.reopen(known)
    const entry = known ?? this.drafting.open(kind, name, type)
    this.#entries.set(part, entry)
    return entry
  }

  /** When a page, panel or question is shown; `false` if never. A condition counts more than what it is at the start. */
  readVisibility(part: TrackedRecord, name: string): Condition | false | undefined {
    const rule = part.text('visibleIf')
    const isVisible = part.get('visible') !== false
    if (rule.trim() !== '') return this.drafting.condition(rule)
    const [trigger, ...others] = this.#triggers.get(name) ?? []
    if (!trigger) return isVisible ? undefined : false
    if (others.length === 0) return this.drafting.condition(trigger, `triggers: ${name}`)
    this.drafting.note('condition-left-out', `triggers: ${name}`)
    return undefined
  }

  texts(of: TrackedRecord, name: string): TextByLanguage {
    return this.#toTexts(of.get(name))
  }

  #toTexts(value: unknown): TextByLanguage {
    if (typeof value === 'string' || typeof value === 'number') return { [this.#own]: String(value) }
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name === 'default' ? this.#own : name, text] as const] : [],
      ),
    )
  }

  ownText(text: string): TextByLanguage {
    return { [this.#own]: text }
  }

  /** What all kinds of questions have; undefined if it is never shown. */
  readCommon(element: TrackedRecord, name: string, context: ElementContext): CommonFields | undefined {
    const drafting = this.drafting
    const own = this.readVisibility(element, name)
    if (own === false || context.isHidden) {
      drafting.note('hidden', name)
      return undefined
    }
    const title = this.texts(element, 'title')
    const texts = drafting.titleAndHelp(Object.keys(title).length > 0 ? title : this.ownText(name), this.texts(element, 'description'))
    const showIf = joinAll([context.showIf, own])
    return {
      id: drafting.id(name),
      ...texts,
      ...(element.flag('isRequired') && { required: true as const }),
      ...(showIf && { showIf }),
    }
  }

  /** The choices of a question, with those that SurveyJS adds by itself. */
  choices(element: TrackedRecord): SurveyJsItem[] {
    const items = this.items(element, 'choices', 'choicesVisibleIf')
    const order = element.text('choicesOrder')
    if (order === 'asc' || order === 'desc') items.sort((a, b) => compareLabels(a, b) * (order === 'asc' ? 1 : -1))
    else if (order && order !== 'none' && order !== 'random') this.drafting.note('setting-left-out', `choicesOrder: ${order}`)
    const added = ADDED_CHOICES.flatMap(({ flags, value, text, label, ...kind }) => {
      if (!flags.map((flag) => element.flag(flag)).includes(true)) return []
      const said = this.texts(element, text)
      return [{ value, said: Object.keys(said).length > 0 ? said : this.drafting.ownLabel(label), imageLink: '', ...kind }]
    })
    return [...items, ...added]
  }

  /** Items of a list: `5`, `"5|Five"` or `{ value, text }`. Those that are never shown are named and left out. */
  items(element: TrackedRecord, list: string, rule: string): SurveyJsItem[] {
    const shared = element.text(rule)
    return element.items(list).flatMap((raw): SurveyJsItem[] => {
      const item = raw instanceof TrackedRecord ? raw : toItem(raw)
      const value = item.text('value') || item.text('name')
      const said = this.#readLabel(item)
      const fill = (rule: string): string =>
        rule
          .replaceAll('{item}', JSON.stringify(value))
          .replace(/\{\$item\.(\w+)\}/g, (_, property: string) => JSON.stringify(item.text(property)))
      const own = this.drafting.condition(fill(item.text('visibleIf')))
      const common = shared ? this.drafting.condition(fill(shared)) : undefined
      if (own === false || common === false || value === '') {
        this.drafting.note(value === '' ? 'left-out' : 'hidden', value || JSON.stringify(raw))
        return []
      }
      const showIf = joinAll([own, common])
      return [{ value, said: said ?? this.ownText(value), imageLink: item.text('imageLink'), showIf }]
    })
  }

  #readLabel(item: TrackedRecord): TextByLanguage | undefined {
    for (const name of ['text', 'title']) {
      const said = this.texts(item, name)
      if (Object.keys(said).length > 0) return said
    }
    return undefined
  }
}

function toItem(raw: unknown): TrackedRecord {
  const [value = '', ...text] = (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? '')).split('|')
  return new TrackedRecord({ value, ...(text.length > 0 && { text: text.join('|') }) })
}

const compareLabels = (a: ListedItem, b: ListedItem) =>
  (Object.values(a.said)[0] ?? a.value).localeCompare(Object.values(b.said)[0] ?? b.value, 'en')

const ADDED_CHOICES = [
  { flags: ['hasOther', 'showOtherItem'], value: 'other', text: 'otherText', label: OTHER_LABEL, other: true },
  { flags: ['hasNone', 'showNoneItem'], value: 'none', text: 'noneText', label: NONE_LABEL, exclusive: true },
  { flags: ['showRefuseItem'], value: 'refused', text: 'refuseText', label: REFUSE_LABEL, exclusive: true },
  { flags: ['showDontKnowItem'], value: 'dontknow', text: 'dontKnowText', label: UNSURE_LABEL, exclusive: true },
]
