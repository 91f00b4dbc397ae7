import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'

interface LanguageTabsProps {
  label: string
  /** The site's. Each is shown by its own name. */
  languages: readonly Language[]
  /** How many texts have no translation in it yet. */
  missing: (language: Language) => number
  /** "2 missing", in the reader's language. */
  missingLabel: (count: number) => string
  selected: Language
  onSelect: (language: Language) => void
  /** The fields, for the selected language. */
  children: ReactNode
}

/** One language of a form at a time, with what is still missing in each of the others always in view. */
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
            <span lang={code}>{LANGUAGE_NAMES[code]}</span>
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
