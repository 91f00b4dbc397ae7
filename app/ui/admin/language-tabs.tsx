import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs'

interface LanguageTabsProps<Code extends string> {
  label: string
  /** The site's languages, each by its own name; `missing` is how many texts have no translation yet. */
  languages: readonly { code: Code; name: string; missing: number }[]
  /** "2 missing", in the reader's language. */
  missingLabel: (count: number) => string
  selected: Code
  onSelect: (code: Code) => void
  /** The fields, for the selected language. */
  children: ReactNode
}

/** One language of a form at a time, with what is still missing in each of the others always in view. */
export function LanguageTabs<Code extends string>({
  label,
  languages,
  missingLabel,
  selected,
  onSelect,
  children,
}: LanguageTabsProps<Code>) {
  return (
    <Tabs
      className="tabs"
      selectedKey={selected}
      onSelectionChange={(key) => {
        const chosen = languages.find(({ code }) => code === key)
        if (chosen) onSelect(chosen.code)
      }}
    >
      <TabList className="language-tabs" aria-label={label}>
        {languages.map(({ code, name, missing }) => (
          <Tab className="language-tab" id={code} key={code}>
            <span lang={code}>{name}</span>
            {missing > 0 && <span className="language-tab-missing">{missingLabel(missing)}</span>}
          </Tab>
        ))}
      </TabList>
      {languages.map(({ code }) => (
        <TabPanel className="tab-panel" id={code} key={code}>
          {children}
        </TabPanel>
      ))}
    </Tabs>
  )
}
