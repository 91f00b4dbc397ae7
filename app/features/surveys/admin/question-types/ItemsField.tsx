import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { Row } from '../../surveys.schema.ts'
import { createItemId } from '../editor/definition-edits.ts'
import { createTest } from '../editor/logic/condition-edits.ts'
import { useLogicSources } from '../editor/logic/logic-sources.ts'
import { ShowWhen } from '../editor/logic/ShowWhen.tsx'

export interface ItemsFieldProps<Item extends Row> {
  /** Property of the question, which faults refer to. */
  name: 'options' | 'rows' | 'columns'
  items: readonly Item[]
  onChange: (items: Item[], key?: string) => void
  language: ContentLanguage
  messageOf: (field: string) => string | undefined
  words: { title: string; one: (number: number) => string; add: string }
  /** Additional actions for an item. */
  actions?: (item: Item, set: (next: Partial<Item>, key?: string) => void) => readonly MenuAction[]
  /** Content below an item's label. */
  children?: (item: Item, set: (next: Partial<Item>, key?: string) => void, index: number) => ReactNode
}

/**
 * Options, rows or columns, one per line: Enter goes to the next empty one or starts one, and pasting a list creates an item per line. A
 * started item joins the question with its first letter: left empty, it is no fault.
 */
export function ItemsField<Item extends Row>(props: ItemsFieldProps<Item>) {
  const { name, items, onChange, language, messageOf, words, actions, children } = props
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const list = useRef<HTMLOListElement>(null)
  const [started, setStarted] = useState<{ item: Item; at: number }>()
  const startedAt = started && Math.min(started.at, items.length)
  const shown = started && startedAt !== undefined ? [...items].toSpliced(startedAt, 0, started.item) : items
  const sources = useLogicSources()
  const source = sources.at(-1)
  /** At once, so that what is typed next goes there. */
  const focusOn = (index: number, change?: () => void) => {
    if (change) flushSync(change)
    list.current?.querySelectorAll<HTMLInputElement>('input.item-label')[index]?.focus()
  }
  const countRows = (end: number) => shown.slice(0, end).filter((item) => !item.removed).length
  /** Positions count the started item; it stays outside the question until it is changed itself. */
  const save = (next: Item[], key?: string) => {
    const kept = started && next.find((item) => item.id === started.item.id)
    if (kept !== started?.item || !kept) setStarted(undefined)
    else setStarted({ item: kept, at: next.indexOf(kept) })
    onChange(
      next.filter((item) => item !== started?.item),
      key,
    )
  }
  const set = (index: number, next: Partial<Item>, key?: string) =>
    save(
      shown.map((item, at) => (at === index ? { ...item, ...next } : item)),
      key,
    )
  const createItem = (text: string) => ({ id: createItemId(name.slice(0, 1)), label: text ? { [language]: text } : {} }) as Item
  const isEmpty = (item: Item) => !item.removed && !item.label[language]?.trim()
  const start = (at: number) => {
    const row = items.slice(0, at).filter((item) => !item.removed).length
    focusOn(row, () => setStarted({ item: createItem(''), at }))
  }
  const goToEmpty = (index: number) => {
    const next = shown.findIndex((item, at) => at > index && isEmpty(item))
    if (next >= 0) focusOn(countRows(next))
    else if (shown[index]?.label[language]?.trim()) start(shown.slice(0, index + 1).filter((item) => item !== started?.item).length)
  }
  const move = (from: number, to: number) => {
    const item = shown[from]
    if (item) save([...shown].toSpliced(from, 1).toSpliced(to, 0, item))
  }
  const paste = (event: ClipboardEvent, index: number) => {
    const [first, ...rest] = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim().slice(0, 300))
      .filter(Boolean)
    if (first === undefined || rest.length === 0) return
    event.preventDefault()
    const filled = shown.map((item, at) => (at === index ? { ...item, label: { ...item.label, [language]: first } } : item))
    save(filled.toSpliced(index + 1, 0, ...rest.map(createItem)))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      goToEmpty(index)
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      const to = index + (event.key === 'ArrowUp' ? -1 : 1)
      if (to < 0 || to >= shown.length) return
      focusOn(countRows(to), () => move(index, to))
    } else if (event.key === 'Backspace' && event.currentTarget.value === '' && shown.length > 2) {
      event.preventDefault()
      focusOn(Math.max(0, countRows(index) - 1), () => save([...shown].toSpliced(index, 1)))
    }
  }
  const problem = messageOf(name)
  return (
    <fieldset className="field items-editor" id={name} tabIndex={-1} data-invalid={problem ? true : undefined}>
      <legend className="field-label">{words.title}</legend>
      <p className="field-hint">{t('options.hint')}</p>
      {problem && <FieldFault text={problem} />}
      <ol ref={list}>
        {shown.map((item, index) => {
          if (item.removed) return null
          const isStarted = item === started?.item
          const own = startedAt !== undefined && startedAt < index ? index - 1 : index
          const id = isStarted ? `${name}.started` : `${name}.${own}.label.${language}`
          const error = isStarted ? undefined : (messageOf(id) ?? messageOf(`${name}.${own}.label`))
          const called = item.label[language] || item.label[locale] || words.one(index + 1)
          const change = (next: Partial<Item>, key?: string) => set(index, next, key && `${item.id}.${key}`)
          return (
            <li key={item.id} data-invalid={error ? true : undefined}>
              <div className="items-editor-row">
                <label className="visually-hidden" htmlFor={id}>
                  {words.one(index + 1)}
                </label>
                <input
                  type="text"
                  className="input item-label"
                  id={id}
                  lang={language}
                  dir={getDirection(language)}
                  value={item.label[language] ?? ''}
                  placeholder={language === locale ? undefined : item.label[locale]}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${id}-error` : undefined}
                  autoComplete="off"
                  onChange={(event) =>
                    change({ label: { ...item.label, [language]: event.currentTarget.value || undefined } } as Partial<Item>, language)
                  }
                  onKeyDown={(event) => handleKey(event, index)}
                  onPaste={(event) => paste(event, index)}
                />
                <Menu
                  label={t('options.menu', { name: called })}
                  trigger={<AdminIcon name="more" />}
                  groups={[
                    [
                      {
                        id: 'up',
                        label: t('move.up'),
                        icon: 'move-up' as const,
                        disabled: index === 0,
                        onAction: () => move(index, index - 1),
                      },
                      {
                        id: 'down',
                        label: t('move.down'),
                        icon: 'move-down' as const,
                        disabled: index === shown.length - 1,
                        onAction: () => move(index, index + 1),
                      },
                    ],
                    [
                      ...(actions?.(item, change) ?? []),
                      ...(source && !item.showIf
                        ? [
                            {
                              id: 'show-when',
                              label: t('logic.only-when'),
                              onAction: () => change({ showIf: createTest(source) } as Partial<Item>),
                            },
                          ]
                        : []),
                    ],
                    [
                      {
                        id: 'remove',
                        label: t('options.remove'),
                        icon: 'trash' as const,
                        danger: true,
                        onAction: () => save([...shown].toSpliced(index, 1)),
                      },
                    ],
                  ].filter((group) => group.length > 0)}
                />
              </div>
              {error && <FieldFault id={`${id}-error`} text={error} />}
              {!isStarted && children?.(item, change, own)}
              {item.showIf && (
                <ShowWhen
                  of="item"
                  at={`${name}.${own}.showIf`}
                  condition={item.showIf}
                  sources={sources}
                  onChange={(showIf, key) => change({ showIf } as Partial<Item>, key)}
                  messageOf={messageOf}
                />
              )}
            </li>
          )
        })}
      </ol>
      <div>
        <Button type="button" kind="secondary" size="small" onClick={() => start(items.length)}>
          {words.add}
        </Button>
      </div>
    </fieldset>
  )
}

function FieldFault({ id, text }: { id?: string; text: string }) {
  return (
    <p className="field-error" id={id}>
      <Icon name="error" />
      {text}
    </p>
  )
}
