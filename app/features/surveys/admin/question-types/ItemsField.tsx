import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
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
  language: Language
  messageOf: (field: string) => string | undefined
  words: { title: string; one: (number: number) => string; add: string }
  /** Additional actions for an item. */
  actions?: (item: Item, set: (next: Partial<Item>, key?: string) => void) => readonly MenuAction[]
  /** Content below an item's label. */
  children?: (item: Item, set: (next: Partial<Item>, key?: string) => void, index: number) => ReactNode
}

/** Options, rows or columns, one per line: Enter starts the next, and pasting a list creates an item per line. */
export function ItemsField<Item extends Row>(props: ItemsFieldProps<Item>) {
  const { name, items, onChange, language, messageOf, words, actions, children } = props
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  const list = useRef<HTMLOListElement>(null)
  const sources = useLogicSources()
  const source = sources.at(-1)
  const focusOn = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input.item-label')[index]?.focus())
  const set = (index: number, next: Partial<Item>, key?: string) =>
    onChange(
      items.map((item, at) => (at === index ? { ...item, ...next } : item)),
      key,
    )
  const createItem = (text: string) => ({ id: createItemId(name.slice(0, 1)), label: text ? { [language]: text } : {} }) as Item
  const insert = (at: number) => {
    onChange([...items].toSpliced(at, 0, createItem('')))
    focusOn(items.slice(0, at).filter((item) => !item.removed).length)
  }
  const move = (from: number, to: number) => {
    const item = items[from]
    if (item) onChange([...items].toSpliced(from, 1).toSpliced(to, 0, item))
  }
  const paste = (event: ClipboardEvent, index: number) => {
    const [first, ...rest] = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim().slice(0, 300))
      .filter(Boolean)
    if (first === undefined || rest.length === 0) return
    event.preventDefault()
    const filled = items.map((item, at) => (at === index ? { ...item, label: { ...item.label, [language]: first } } : item))
    onChange(filled.toSpliced(index + 1, 0, ...rest.map(createItem)))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      insert(index + 1)
    } else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      const to = index + (event.key === 'ArrowUp' ? -1 : 1)
      if (to < 0 || to >= items.length) return
      move(index, to)
      focusOn(items.slice(0, to).filter((item) => !item.removed).length)
    } else if (event.key === 'Backspace' && event.currentTarget.value === '' && items.length > 2) {
      event.preventDefault()
      onChange(items.toSpliced(index, 1))
      focusOn(Math.max(0, index - 1))
    }
  }
  const problem = messageOf(name)
  return (
    <fieldset className="field items-editor" id={name} tabIndex={-1} data-invalid={problem ? true : undefined}>
      <legend className="field-label">{words.title}</legend>
      <p className="field-hint">{t('options.hint')}</p>
      {problem && <FieldFault text={problem} />}
      <ol ref={list}>
        {items.map((item, index) => {
          if (item.removed) return null
          const id = `${name}.${index}.label.${language}`
          const error = messageOf(id) ?? messageOf(`${name}.${index}.label`)
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
                        disabled: index === items.length - 1,
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
                        onAction: () => onChange(items.toSpliced(index, 1)),
                      },
                    ],
                  ].filter((group) => group.length > 0)}
                />
              </div>
              {error && <FieldFault id={`${id}-error`} text={error} />}
              {children?.(item, change, index)}
              {item.showIf && (
                <ShowWhen
                  of="item"
                  at={`${name}.${index}.showIf`}
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
        <Button type="button" kind="secondary" size="small" onClick={() => insert(items.length)}>
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
