import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useKeptLanguage } from '#app/ui/admin/use-kept-tab.ts'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'

interface RepeatedItemsProps<Item> {
  items: readonly Item[]
  onChange: (items: Item[]) => void
  /** An item's heading: its own name or its number. */
  nameOf: (item: Item, at: number) => string
  /** Creates an empty item. */
  blank: () => Item
  words: { none: string; noneText: string; add: string; remove: string }
  /** The fields of one item, with its texts in the selected language. */
  children: (item: Item, set: (next: Partial<Item>) => void, at: number, language: ContentLanguage) => ReactNode
}

/** A repeatable group of fields for dates, people or questions. */
export function RepeatedItems<Item extends object>({ items, onChange, nameOf, blank, words, children }: RepeatedItemsProps<Item>) {
  const { t } = useTranslation('admin')
  const site = useSite()
  const [language, setLanguage] = useKeptLanguage(site.contentLanguages, site.locale)
  const updateItem = (index: number, next: Partial<Item>) => onChange(items.map((item, at) => (at === index ? { ...item, ...next } : item)))
  return (
    <>
      {site.contentLanguages.length > 1 && items.length > 0 && (
        <Segmented
          label={t('editor.languages')}
          value={language}
          onChange={setLanguage}
          options={site.contentLanguages.map((value) => ({ value, label: getLanguageName(value) }))}
        />
      )}
      {items.length === 0 && (
        <EmptyState title={words.none} level={3}>
          {words.noneText}
        </EmptyState>
      )}
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- items are only identified by position, and their fields hold no local state
        <fieldset className="admin-panel" key={index}>
          <legend>{nameOf(item, index)}</legend>
          {children(item, (next) => updateItem(index, next), index, language)}
          <div>
            <Button kind="plain" size="small" onClick={() => onChange(items.filter((_, at) => at !== index))}>
              {words.remove}
            </Button>
          </div>
        </fieldset>
      ))}
      <div>
        <Button kind="secondary" onClick={() => onChange([...items, blank()])}>
          {words.add}
        </Button>
      </div>
    </>
  )
}
