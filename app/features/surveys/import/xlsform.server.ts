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
  const getSheet = (name: string): RowCells[] => sheets.get(name) ?? []
  const lines = getSheet('survey')
  if (!lines.some((line) => line['type'] && line['name'] !== undefined)) throw new Error('Not an XLSForm')
  const [settings = {}] = getSheet('settings')
  const choices = Map.groupBy(getSheet('choices'), (line) => line['list_name'] || line['list name'] || '')
  const own = settings['default_language'] || fallback
  const drafting = new SurveyDraftBuilder()
  const toTextByLanguage = (line: RowCells, field: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(line).flatMap(([head, words]) => {
        if (!words || (head !== field && !head.startsWith(`${field}::`))) return []
        return [[head === field ? own : head.slice(field.length + 2), words] as const]
      }),
    )
  const listOptions = (list: string, other: boolean) => [
    ...(choices.get(list) ?? []).map((line) => ({ value: line['name'] || line['value'] || '', said: toTextByLanguage(line, 'label') })),
    ...(other ? [{ value: 'other', said: { en: 'Other', 'fr-CA': 'Autre', cy: 'Arall' }, other: true }] : []),
  ]
  let repeats = 0
  for (const line of lines) {
    const name = line['name'] ?? ''
    const [type = '', list = '', more = ''] = (line['type'] ?? '')
      .trim()
      .replace(/^(begin|end)_/, '$1 ')
      .split(/\s+/)
    if (!type) continue
    if (type === 'begin' && list === 'repeat') {
      repeats += 1
      drafting.note('left-out', name, 'repeat')
    } else if (type === 'end' && list === 'repeat') repeats -= 1
    else if (repeats > 0) continue
    else if (type === 'begin') {
      const page = drafting.page(name, drafting.text(toTextByLanguage(line, 'label'), 300, name))
      const showIf = drafting.condition(line['relevant'] ?? '', name)
      if (showIf) page.showIf = showIf
    } else if (type === 'end') drafting.page('page')
    else addQuestion(name, type, list, more, line)
  }
  return {
    title: drafting.text({ [own]: settings['form_title'] ?? '' }, 200, 'form_title'),
    intro: {},
    thanks: {},
    definition: drafting.definition(),
    notes: drafting.notes,
  }

  function addQuestion(name: string, type: string, list: string, more: string, line: RowCells): void {
    for (const setting of ['constraint', 'calculation', 'choice_filter', 'default', 'repeat_count'])
      if (line[setting]) drafting.note('setting-left-out', name, `${setting}: ${line[setting]}`)
    const help = drafting.text(toTextByLanguage(line, 'hint'), 2000, name)
    const showIf = drafting.condition(line['relevant'] ?? '', name)
    const common = {
      id: drafting.id(name),
      title: drafting.text(toTextByLanguage(line, 'label'), 500, name),
      ...(Object.keys(help).length > 0 && { help }),
      ...(/^(yes|true|true\(\)|1)$/i.test(line['required'] ?? '') && { required: true }),
      ...(showIf && { showIf }),
    }
    switch (type) {
      case 'text':
        return drafting.add(name, { ...common, type: /multiline/.test(line['appearance'] ?? '') ? 'long_text' : 'short_text' })
      case 'integer':
        return drafting.add(name, { ...common, type: 'number' })
      case 'decimal':
        return drafting.add(name, { ...common, type: 'number', decimals: 6 })
      case 'range': {
        const [, min = '0'] = /start=(-?[\d.]+)/.exec(line['parameters'] ?? '') ?? []
        const [, max = '10'] = /end=(-?[\d.]+)/.exec(line['parameters'] ?? '') ?? []
        const [, step = '1'] = /step=([\d.]+)/.exec(line['parameters'] ?? '') ?? []
        return drafting.add(name, {
          ...common,
          type: 'slider',
          min: Number(min),
          max: Number(max),
          ...(Number(step) > 0 && { step: Number(step) }),
        })
      }
      case 'select_one': {
        const { options: made, codes } = drafting.options(listOptions(list, more === 'or_other'), name)
        return drafting.add(
          name,
          { ...common, type: /minimal|autocomplete/.test(line['appearance'] ?? '') ? 'dropdown' : 'one_choice', options: made },
          codes,
        )
      }
      case 'select_multiple': {
        const { options: made, codes } = drafting.options(listOptions(list, more === 'or_other'), name)
        return drafting.add(name, { ...common, type: 'several_choices', options: made }, codes)
      }
      case 'rank': {
        const { options: made, codes } = drafting.options(listOptions(list, false), name)
        return drafting.add(name, { ...common, type: 'ranking', options: made }, codes)
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
      case 'note':
        return drafting.add(name, { id: common.id, type: 'info', title: common.title, ...(showIf && { showIf }) })
      default:
        drafting.note('left-out', name, [type, list].filter(Boolean).join(' '))
    }
  }
}
