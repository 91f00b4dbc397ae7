import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Button } from '#app/ui/button.tsx'
import type { AnyField, ListField } from '../block-fields.ts'

interface ItemField {
  key: string
  name: string
  field: AnyField
  value: unknown
  onChange: (value: unknown) => void
}

interface ListInputProps {
  label: string
  name: string
  declared: ListField
  value: { id: string }[]
  onChange: (value: unknown) => void
  /** Renders the input for one field of an item. */
  renderField: (field: ItemField) => ReactNode
}

/** A list of items inside a block, each with its own fields, reordered by buttons. */
export function ListInput({ label, name, declared, value, onChange, renderField }: ListInputProps) {
  const { t } = useTranslation('editor')
  const moveItem = (at: number, by: number) => {
    const next = [...value]
    const [item] = next.splice(at, 1)
    if (item) next.splice(at + by, 0, item)
    onChange(next)
  }
  const addItem = () => {
    const empty = Object.fromEntries(Object.entries(declared.fields).map(([key, field]) => [key, field.empty]))
    onChange([...value, { id: `i_${crypto.randomUUID().slice(0, 8)}`, ...empty }])
  }
  return (
    <fieldset className="editor-group">
      <legend>{label}</legend>
      <ol className="editor-items">
        {value.map((item, at) => (
          <li key={item.id} className="editor-item">
            <div className="editor-item-head">
              <strong>{t('item', { number: at + 1 })}</strong>
              <button
                type="button"
                className="icon-button"
                aria-label={t('item-up', { number: at + 1 })}
                disabled={at === 0}
                onClick={() => moveItem(at, -1)}
              >
                <AdminIcon name="move-up" />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={t('item-down', { number: at + 1 })}
                disabled={at === value.length - 1}
                onClick={() => moveItem(at, 1)}
              >
                <AdminIcon name="move-down" />
              </button>
              <button
                type="button"
                className="icon-button"
                aria-label={t('item-remove', { number: at + 1 })}
                onClick={() => onChange(value.filter(({ id }) => id !== item.id))}
              >
                <AdminIcon name="trash" />
              </button>
            </div>
            {Object.entries(declared.fields as Record<string, AnyField>).map(([key, field]) => (
              <Fragment key={key}>
                {renderField({
                  key,
                  name: `${name}.${at}.${key}`,
                  field,
                  value: (item as Record<string, unknown>)[key],
                  onChange: (next) => onChange(value.map((one) => (one.id === item.id ? { ...one, [key]: next } : one))),
                })}
              </Fragment>
            ))}
          </li>
        ))}
      </ol>
      <Button kind="secondary" size="small" type="button" disabled={value.length >= declared.max} onClick={addItem}>
        {t('item-add')}
      </Button>
    </fieldset>
  )
}
