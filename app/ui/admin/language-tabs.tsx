import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { getDirection } from '#app/lib/added-languages.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'

interface LanguageTabsProps {
  label: string
  /** The site's languages. Each is shown by its own name. */
  languages: readonly ContentLanguage[]
  /** Number of texts not yet translated into it. */
  missing: (language: ContentLanguage) => number
  /** "2 missing", in the reader's language. */
  missingLabel: (count: number) => string
  selected: ContentLanguage
  onSelect: (language: ContentLanguage) => void
  /** The fields of the selected language. */
  children: ReactNode
}

/** Shows a form in one language at a time, with the number of missing texts in every other. */
export function LanguageTabs({ label, languages, missing, missingLabel, selected, onSelect, children }: LanguageTabsProps) {
  return (
    <Tabs
      className="tabs"
      selectedKey={selected}
      onSelectionChange={(key) => {
        const chosen = languages.find((code) => code === key)
        if (chosen) onSelect(chosen)
      }}
    >
      <TabList className="language-tabs" aria-label={label}>
        {languages.map((code) => (
          <Tab className="language-tab" id={code} key={code}>
            <span lang={code} dir={getDirection(code)}>
              {getLanguageName(code)}
            </span>
            {missing(code) > 0 && <span className="language-tab-missing">{missingLabel(missing(code))}</span>}
          </Tab>
        ))}
      </TabList>
      {languages.map((code) => (
        <TabPanel className="tab-panel" id={code} key={code}>
          {children}
        </TabPanel>
      ))}
    </Tabs>
  )
}
