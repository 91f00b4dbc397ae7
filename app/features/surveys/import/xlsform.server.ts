import type { Language } from '#app/lib/languages.ts'
import { ANY_FILE } from '../questionnaire/question-types/files/file-kinds.ts'
import { SurveyDraftBuilder, type ImportedSurvey } from './survey-draft-builder.ts'
import { type RowCells, readSheets } from './workbook.server.ts'

/**
 * Converts an XLSForm: a workbook with the sheets `survey`, `choices` and `settings`.
 * @throws {BeyondLimitsError}; anything else if it is not one
 */
export async function parseXlsForm(file: Uint8Array, fallback: Language): Promise<ImportedSurvey> {
  const sheets = await readSheets(file, ['survey', 'choices', 'settings'])
  const lines = sheets.get('survey') ?? []
  if (!lines.some((line) => line['type'] && line['name'] !== undefined)) throw new Error('Not an XLSForm')
  const [settings = {}] = sheets.get('settings') ?? []
  return new XlsFormImport(sheets.get('choices') ?? [], settings, fallback).run(lines)
}

/** A line's type, such as `select_one towns or_other`, in its parts. */
interface LineType {
  type: string
  list: string
  orOther: boolean
}

class XlsFormImport {
  readonly #drafting = new SurveyDraftBuilder()
  readonly #choices: Map<string, RowCells[]>
  readonly #settings: RowCells
  /** The language of texts without one. */
  readonly #own: string

  constructor(choices: readonly RowCells[], settings: RowCells, fallback: Language) {
    this.#choices = Map.groupBy(choices, (line) => line['list_name'] || line['list name'] || '')
    this.#settings = settings
    this.#own = settings['default_language'] || fallback
  }

  run(lines: readonly RowCells[]): ImportedSurvey {
    const drafting = this.#drafting
    let repeats = 0
    for (const line of lines) {
      const name = line['name'] ?? ''
      const { type, list, orOther } = readLineType(line['type'] ?? '')
      if (!type) continue
      if (type === 'begin' && list === 'repeat') {
        repeats += 1
        drafting.note('left-out', name, 'repeat')
      } else if (type === 'end' && list === 'repeat') repeats -= 1
      else if (repeats > 0) continue
      else if (type === 'begin') this.#addPage(name, line)
      else if (type === 'end') drafting.page('page')
      else this.#addQuestion(name, { type, list, orOther }, line)
    }
    return {
      title: drafting.text({ [this.#own]: this.#settings['form_title'] ?? '' }, 200, 'form_title'),
      intro: {},
      thanks: {},
      definition: drafting.definition(),
      notes: drafting.notes,
    }
  }

  #toTextByLanguage(line: RowCells, field: string): Record<string, string> {
    return Object.fromEntries(
      Object.entries(line).flatMap(([head, words]) => {
        if (!words || (head !== field && !head.startsWith(`${field}::`))) return []
        return [[head === field ? this.#own : head.slice(field.length + 2), words] as const]
      }),
    )
  }

  #addPage(name: string, line: RowCells): void {
    const page = this.#drafting.page(name, this.#drafting.text(this.#toTextByLanguage(line, 'label'), 300, name))
    const showIf = this.#drafting.condition(line['relevant'] ?? '', name)
    if (showIf) page.showIf = showIf
  }

  #addQuestion(name: string, { type, list, orOther }: LineType, line: RowCells): void {
    const drafting = this.#drafting
    const common = this.#readCommon(name, line)
    const appearance = line['appearance'] ?? ''
    switch (type) {
      case 'text':
        return drafting.add(name, { ...common, type: /multiline/.test(appearance) ? 'long_text' : 'short_text' })
      case 'integer':
        return drafting.add(name, { ...common, type: 'number' })
      case 'decimal':
        return drafting.add(name, { ...common, type: 'number', decimals: 6 })
      case 'range':
        return drafting.add(name, { ...common, type: 'slider', ...readRange(line['parameters'] ?? '') })
      case 'select_one': {
        const { options, codes } = this.#readOptions(name, list, orOther)
        return drafting.add(name, { ...common, type: /minimal|autocomplete/.test(appearance) ? 'dropdown' : 'one_choice', options }, codes)
      }
      case 'select_multiple': {
        const { options, codes } = this.#readOptions(name, list, orOther)
        return drafting.add(name, { ...common, type: 'several_choices', options }, codes)
      }
      case 'rank': {
        const { options, codes } = this.#readOptions(name, list, false)
        return drafting.add(name, { ...common, type: 'ranking', options }, codes)
      }
      case 'date':
        return drafting.add(name, { ...common, type: 'date' })
      case 'time':
        return drafting.add(name, { ...common, type: 'time' })
      case 'geopoint':
        return drafting.add(name, { ...common, type: 'place' })
      case 'image':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE, kinds: ['picture'] })
      case 'file':
        return drafting.add(name, { ...common, type: 'file', ...ANY_FILE })
      case 'acknowledge':
      case 'trigger':
        return drafting.add(name, { ...common, type: 'consent' })
      case 'note': {
        const { id, title, showIf } = common
        return drafting.add(name, { id, type: 'info', title, ...(showIf && { showIf }) })
      }
      default:
        drafting.note('left-out', name, [type, list].filter(Boolean).join(' '))
    }
  }

  /** What all kinds of questions have; notes settings that are not imported. */
  #readCommon(name: string, line: RowCells) {
    const drafting = this.#drafting
    for (const setting of ['constraint', 'calculation', 'choice_filter', 'default', 'repeat_count'])
      if (line[setting]) drafting.note('setting-left-out', name, `${setting}: ${line[setting]}`)
    const help = drafting.text(this.#toTextByLanguage(line, 'hint'), 2000, name)
    const showIf = drafting.condition(line['relevant'] ?? '', name)
    return {
      id: drafting.id(name),
      title: drafting.text(this.#toTextByLanguage(line, 'label'), 500, name),
      ...(Object.keys(help).length > 0 && { help }),
      ...(/^(yes|true|true\(\)|1)$/i.test(line['required'] ?? '') && { required: true }),
      ...(showIf && { showIf }),
    }
  }

  #readOptions(name: string, list: string, orOther: boolean) {
    const listed = (this.#choices.get(list) ?? []).map((line) => ({
      value: line['name'] || line['value'] || '',
      said: this.#toTextByLanguage(line, 'label'),
    }))
    const other = orOther ? [{ value: 'other', said: { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }, other: true }] : []
    return this.#drafting.options([...listed, ...other], name)
  }
}

function readLineType(text: string): LineType {
  const [type = '', list = '', more = ''] = text
    .trim()
    .replace(/^(begin|end)_/, '$1 ')
    .split(/\s+/)
  return { type, list, orOther: more === 'or_other' }
}

function readRange(parameters: string): { min: number; max: number; step?: number } {
  const [, min = '0'] = /start=(-?[\d.]+)/.exec(parameters) ?? []
  const [, max = '10'] = /end=(-?[\d.]+)/.exec(parameters) ?? []
  const [, step = '1'] = /step=([\d.]+)/.exec(parameters) ?? []
  return { min: Number(min), max: Number(max), ...(Number(step) > 0 && { step: Number(step) }) }
}
