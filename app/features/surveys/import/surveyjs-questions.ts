import type { Translated } from '#app/lib/translated.ts'
import { ANY_FILE, MAX_FILES, MAX_MEGABYTES } from '../questionnaire/question-types/files/file-kinds.ts'
import type { Option } from '../surveys.schema.ts'
import type { ImportedElement } from './import.schema.ts'
import { SurveyJsGrids } from './surveyjs-grids.ts'
import { SURVEYJS_LOOKS } from './surveyjs-looks.ts'
import { type CommonFields, type ElementContext, readType, SurveyJsSource } from './surveyjs-source.ts'
import { createTextField } from './surveyjs-text.ts'
import type { TrackedRecord } from './tracked-record.ts'

export type { ElementContext } from './surveyjs-source.ts'

/** Converts SurveyJS's questions. */
export class SurveyJsQuestions extends SurveyJsSource {
  readonly #grids = new SurveyJsGrids(this)

  addElement(element: TrackedRecord, context: ElementContext): void {
    const [type, name] = [readType(element) || 'text', element.text('name') || 'question']
    const entry = this.open(element, 'question', name, type)
    const common = this.readCommon(element, name, context)
    if (common) {
      this.#addOfType(element, type, name, common, context.copies)
      this.#addOtherName(element, name)
      this.#reportUnread(entry, element)
    }
  }

  #reportUnread(entry: ImportedElement, element: TrackedRecord): void {
    this.drafting.noteUnread(entry, element.listUnread(), SURVEYJS_LOOKS)
  }

  /** Conditions may refer to the name under which an answer is stored. */
  #addOtherName(element: TrackedRecord, name: string): void {
    const alias = element.text('valueName')
    const asked = this.drafting.find(this.drafting.placeName(name))
    if (alias && asked) this.drafting.name(alias, asked)
  }

  #addOfType(element: TrackedRecord, type: string, name: string, common: CommonFields, copies = 1): void {
    const drafting = this.drafting
    switch (type) {
      case 'text':
      case 'comment':
        return drafting.add(name, createTextField(element, type, common, drafting))
      case 'radiogroup':
      case 'buttongroup':
      case 'dropdown':
      case 'checkbox':
      case 'tagbox':
      case 'ranking':
      case 'imagepicker':
        return this.#addChoices(element, type, name, common)
      case 'boolean':
        return this.#addBoolean(element, name, common)
      case 'imagemap':
        return this.#addAreas(element, name, common)
      case 'rating':
        return this.#addRating(element, name, common)
      case 'slider':
        return drafting.add(name, createTextField(element, type, common, drafting))
      case 'matrix':
      case 'matrixdropdown':
      case 'matrixdynamic':
      case 'multipletext':
        return this.#grids.add(element, { type, name, common, copies })
      case 'file':
        return this.#addFile(element, name, common)
      case 'html':
      case 'image':
        return this.#addInfo(element, type, name, common)
      default:
        drafting.note('left-out', type)
    }
  }

  #addInfo(element: TrackedRecord, type: 'html' | 'image', name: string, { id, showIf, title: own }: CommonFields): void {
    const { title, help } = this.drafting.titleAndHelp(
      type === 'html' ? this.texts(element, 'html') : this.texts(element, 'title'),
      {},
      5000,
    )
    const url = type === 'image' ? element.text('imageLink') : ''
    if (type === 'image' && !isUsableLink(url)) return this.drafting.note('left-out', `imageLink: ${url}`)
    const alt = this.drafting.text(type === 'image' ? this.texts(element, 'altText') : {}, 500)
    this.drafting.add(name, {
      id,
      type: 'info',
      title: Object.keys(title).length > 0 ? title : own,
      ...(help && { text: help }),
      ...(url && { picture: { url, alt: Object.keys(alt).length > 0 ? alt : own } }),
      ...(showIf && { showIf }),
    })
  }

  #addChoices(element: TrackedRecord, type: string, name: string, common: CommonFields): void {
    const drafting = this.drafting
    const items = this.choices(element)
    const { options, codes } = drafting.options(items, SINGLE_CHOICES.has(type) ? 'listed' : 'options')
    const { carry, carried } = this.#readCarry(element)
    if (options.length === 0 && !carry) drafting.note('no-text', 'choices')
    const question = { ...common, options, ...(element.text('choicesOrder') === 'random' && { shuffle: true }), ...(carry && { carry }) }
    const [min, max] = [this.#readCount(element, 'minSelectedChoices'), this.#readCount(element, 'maxSelectedChoices')]
    const counts = { ...(min && { minChoices: min }), ...(max && { maxChoices: max }) }
    const known = new Map([...codes, ...carried])
    switch (type) {
      case 'radiogroup':
      case 'buttongroup':
        return drafting.add(name, { ...question, type: 'one_choice' }, known)
      case 'dropdown':
        return drafting.add(name, { ...question, type: 'dropdown' }, known)
      case 'ranking':
        return drafting.add(name, { ...question, type: 'ranking', ...(max && { maxRanked: max }) }, known)
      case 'imagepicker': {
        const pictures = options.map((option, index) => this.#addPicture(option, items[index]?.imageLink ?? ''))
        const several = element.flag('multiSelect')
        if (pictures.every(({ picture }) => picture))
          return drafting.add(
            name,
            {
              ...question,
              type: 'picture_choice',
              options: pictures,
              ...(several ? { ...counts, maxChoices: max ?? options.length } : {}),
            },
            known,
          )
        return drafting.add(
          name,
          several ? { ...question, type: 'several_choices', ...counts } : { ...question, type: 'one_choice' },
          known,
        )
      }
      default:
        return drafting.add(name, { ...question, type: 'several_choices', ...counts }, known)
    }
  }

  #addPicture(option: Option, url: string): Option {
    if (isUsableLink(url)) return { ...option, picture: { url, alt: option.label } }
    this.drafting.note('setting-left-out', `imageLink: ${url}`)
    return option
  }

  /** The areas of a picture become options. */
  #addAreas(element: TrackedRecord, name: string, common: CommonFields): void {
    this.drafting.note('type-changed', 'imagemap')
    const { options, codes } = this.drafting.options(this.items(element, 'areas', 'areasVisibleIf'))
    const several = element.get('multiSelect') !== false
    this.drafting.add(name, { ...common, type: several ? 'several_choices' : 'one_choice', options }, codes)
  }

  #readCount(element: TrackedRecord, name: string): number | undefined {
    const count = element.number(name)
    return count !== undefined && count > 0 ? Math.min(200, Math.round(count)) : undefined
  }

  /** Choices that come from an earlier question, and their ids by their values. */
  #readCarry(element: TrackedRecord): {
    carry?: { question: string; which: 'chosen' | 'not_chosen' }
    carried: ReadonlyMap<string, string>
  } {
    const from = element.text('choicesFromQuestion')
    if (!from) return { carried: new Map() }
    const mode = element.text('choicesFromQuestionMode')
    const asked = this.drafting.find(this.drafting.placeName(from)) ?? this.drafting.find(from)
    const which = mode === 'selected' ? 'chosen' : mode === 'unselected' ? 'not_chosen' : undefined
    if (asked && 'options' in asked.question && which) return { carry: { question: asked.question.id, which }, carried: asked.codes }
    this.drafting.note('setting-left-out', `choicesFromQuestion: ${from} ${mode}`)
    return { carried: new Map() }
  }

  /** Labels of its own for yes and no make it a choice of two. */
  #addBoolean(element: TrackedRecord, name: string, common: CommonFields): void {
    const [yes, no] = [this.texts(element, 'labelTrue'), this.texts(element, 'labelFalse')]
    const [on, off] = [element.text('valueTrue') || 'true', element.text('valueFalse') || 'false']
    if (Object.keys(yes).length === 0 || Object.keys(no).length === 0) {
      const codes = new Map([
        [on, 'yes'],
        [off, 'no'],
      ])
      return this.drafting.add(name, { ...common, type: 'yes_no' }, codes)
    }
    const { options, codes } = this.drafting.options([
      { value: on, said: yes },
      { value: off, said: no },
    ])
    this.drafting.add(name, { ...common, type: 'one_choice', options }, codes)
  }

  /** A scale from 0 or 1 to at most 10 stays a scale; listed values become choices; any other becomes a number. */
  #addRating(element: TrackedRecord, name: string, common: CommonFields): void {
    const drafting = this.drafting
    const [low, high] = ['minRateDescription', 'maxRateDescription'].map((end) => drafting.text(this.texts(element, end), 100))
    const ends = { ...(hasWords(low) && { low }), ...(hasWords(high) && { high }) }
    const listed = this.items(element, 'rateValues', 'rateValuesVisibleIf')
    const isPlain = listed.every(
      ({ value, said }, index) => Number(value) === index + 1 && Object.values(said).every((text) => text === value),
    )
    if (listed.length > 0 && !isPlain) {
      const { options, codes } = drafting.options(listed)
      return drafting.add(name, { ...common, type: 'one_choice', options }, codes)
    }
    this.#addScale(element, name, common, listed.length, ends)
  }

  #addScale(
    element: TrackedRecord,
    name: string,
    common: CommonFields,
    listed: number,
    ends: { low?: Translated; high?: Translated },
  ): void {
    const drafting = this.drafting
    const min = element.number('rateMin') ?? 1
    const max = listed > 0 ? listed : (element.number('rateMax') ?? min + (element.number('rateCount') ?? 5) - 1)
    const step = element.number('rateStep') ?? 1
    const look = { stars: 'stars', smileys: 'faces' }[element.text('rateType') || element.text('rateDisplayMode')] as
      | 'stars'
      | 'faces'
      | undefined
    if (min === 0 && max === 10 && step === 1) return drafting.add(name, { ...common, type: 'nps', ...ends })
    const isScale = (min === 0 || min === 1) && max >= 2 && max <= 10 && Number.isInteger(max) && step === 1
    if (!isScale) {
      drafting.note('type-changed', `${min}–${max}`)
      return drafting.add(name, { ...common, type: 'slider', min, max, step, ...ends })
    }
    if (min === 1) return drafting.add(name, { ...common, type: 'rating', scale: { max, ...ends }, ...(look && { look }) })
    drafting.add(name, { ...common, type: 'scale', scale: { min, max, ...ends } })
  }

  #addFile(element: TrackedRecord, name: string, common: CommonFields): void {
    const most = element.number('maxFiles') ?? MAX_FILES
    const megabytes = Math.round((element.number('maxSize') ?? 0) / 1_048_576)
    const accepted = element.text('acceptedTypes')
    const pictures = accepted !== '' && accepted.split(',').every((each) => /image|\.(png|jpe?g|gif|webp)/i.test(each))
    if (accepted && !pictures) this.drafting.note('setting-left-out', `acceptedTypes: ${accepted}`)
    this.drafting.add(name, {
      ...common,
      type: 'file',
      kinds: pictures ? ['picture'] : ANY_FILE.kinds,
      maxFiles: element.flag('allowMultiple') ? Math.max(1, Math.min(MAX_FILES, Math.round(most))) : 1,
      maxMegabytes: megabytes > 0 ? Math.min(MAX_MEGABYTES, megabytes) : ANY_FILE.maxMegabytes,
    })
  }
}

const isUsableLink = (url: string): boolean => url.startsWith('https://') && url.length <= 1000
const hasWords = (text: object | undefined): boolean => text !== undefined && Object.keys(text).length > 0
/** Single-choice types that can hold long lists. Picture pickers are excluded: they have no search field. */
const SINGLE_CHOICES = new Set(['radiogroup', 'buttongroup', 'dropdown'])
