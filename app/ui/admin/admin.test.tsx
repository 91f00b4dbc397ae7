import { describe, expect, it } from 'vitest'
import { findElements, expectSoundReferences, findFirstElement, renderMarkup, toVisibleText } from '#tests/support/markup.ts'
import { AdminIcon } from './admin-icon.tsx'
import { AdminShell, CommandHint } from './admin-shell.tsx'
import { Badge } from './badge.tsx'
import { CardChoice } from './card-choice.tsx'
import { ColumnChart } from './column-chart.tsx'
import { DataTable, type Column } from './data-table.tsx'
import { DateTimeField } from './date-time-field.tsx'
import { CheckInput, NumberInput, SelectInput, SwitchInput, TextAreaInput, TextInput } from './inputs.tsx'
import { LanguageTabs } from './language-tabs.tsx'
import { Menu } from './menu.tsx'
import { PageHeader } from './page-header.tsx'
import { ReorderableList } from './reorderable-list.tsx'
import { SaveBar } from './save-bar.tsx'
import { StatCard } from './stat-card.tsx'
import { TabLinks, Tabs } from './tabs.tsx'
import { FilterBar, Segmented, Toolbar } from './toolbar.tsx'
import { TranslatedField } from './translated-field.tsx'
import { TrendChart } from './trend-chart.tsx'

const nothing = () => undefined

describe('the admin frame', () => {
  const html = renderMarkup(
    <AdminShell
      language="en"
      navigate={nothing}
      brand={<a href="/admin">Riverbend</a>}
      navLabel="Administration"
      groups={[
        {
          links: [
            <a key="" href="/admin/projects" aria-current="page">
              Projects
            </a>,
          ],
        },
        {
          title: 'Site',
          links: [
            <a key="" href="/admin/media">
              <AdminIcon name="image" />
              Media
            </a>,
          ],
        },
      ]}
      foot={<a href="/">See the site</a>}
      menuLabel="Open the menu"
      closeLabel="Close"
      command={<CommandHint label="Go to anything" keys="⌘K" onOpen={nothing} />}
    >
      <PageHeader title="Projects" status={<Badge tone="ok">Open</Badge>} meta="12 in 3 hubs" />
    </AdminShell>,
  )

  it('has a navigation, a bar and a main element that the skip link targets', () => {
    expect(findElements(html, 'nav').map((nav) => nav['aria-label'])).toEqual(['Administration'])
    expect(findFirstElement(html, 'main')).toMatchObject({ id: 'main', tabindex: '-1' })
    expect(findElements(html, 'h1')).toHaveLength(1)
  })

  it('names icon-only buttons', () => {
    expect(findFirstElement(html, 'button')).toMatchObject({ 'aria-label': 'Open the menu', 'aria-haspopup': 'dialog' })
  })
})

interface Row {
  id: string
  title: string
  people: number
}

describe('a data table', () => {
  const columns: Column<Row>[] = [
    { id: 'title', head: 'Title', cell: ({ title }) => <a href="/x">{title}</a>, names: true, sortable: true },
    { id: 'people', head: 'People', cell: ({ people }) => people, align: 'end', sortable: true },
  ]
  const rows = [
    { id: '1', title: 'A library', people: 412 },
    { id: '2', title: 'A faster bus', people: 1284 },
  ]
  const table = (more: Partial<Parameters<typeof DataTable<Row>>[0]>) =>
    renderMarkup(
      <DataTable
        caption="Projects"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        loadingLabel="Loading projects"
        empty={<p>No project yet</p>}
        error={<p>Could not be loaded</p>}
        sort={{ column: 'people', direction: 'descending' }}
        sortLink={(column, direction, children) => <a href={`?sort=${column}.${direction}`}>{children}</a>}
        {...more}
      />,
    )

  it('has a caption and row headers, and announces its sort order', () => {
    const html = table({})
    expect(html).toContain('<caption class="visually-hidden">Projects</caption>')
    expect(findElements(html, 'th').map(({ scope, 'aria-sort': sort }) => [scope, sort])).toEqual([
      ['col', undefined],
      ['col', 'descending'],
      ['row', undefined],
      ['row', undefined],
    ])
    expect(html).toContain('<td data-align="end">1284</td>')
  })

  it('sorts by links, which reverse the current order', () => {
    expect(findElements(table({}), 'a').map(({ href }) => href)).toEqual(['?sort=title.ascending', '?sort=people.ascending', '/x', '/x'])
  })

  it('selects rows by labelled checkboxes', () => {
    const html = table({
      selection: {
        selected: new Set(['2']),
        onChange: nothing,
        allLabel: 'Select all on this page',
        rowLabel: ({ title }) => `Select ${title}`,
        summary: (count) => `${count} selected`,
        clearLabel: 'Clear',
        actions: <button type="button">Archive</button>,
      },
    })
    expect(findElements(html, 'input').map(({ checked }) => checked)).toEqual([undefined, undefined, ''])
    expect(toVisibleText(html)).toContain('Select A faster bus')
    expect(toVisibleText(html)).toContain('1 selected Archive Clear')
  })

  it('says when it is empty, loading or failed', () => {
    expect(toVisibleText(table({ rows: [] }))).toBe('No project yet')
    expect(toVisibleText(table({ state: 'error' }))).toBe('Could not be loaded')
    expect(findFirstElement(table({ state: 'loading' }), 'div')['aria-busy']).toBe('true')
    expect(table({ state: 'loading', rows: [] })).toMatch(/<output class="skeleton">.*Loading projects/)
  })
})

describe('an admin field', () => {
  const faulty = { name: 'slug', label: 'Address', hint: 'Small letters', error: 'That address is taken' }

  it.each([
    ['TextInput', <TextInput key="" {...faulty} value="" onChange={nothing} />, 'input'],
    ['TextAreaInput', <TextAreaInput key="" {...faulty} value="" onChange={nothing} />, 'textarea'],
    ['NumberInput', <NumberInput key="" {...faulty} value={undefined} onChange={nothing} />, 'input'],
    ['SelectInput', <SelectInput key="" {...faulty} value="a" onChange={nothing} options={[{ value: 'a', label: 'A' }]} />, 'select'],
    ['CheckInput', <CheckInput key="" {...faulty} value onChange={nothing} />, 'input'],
    ['SwitchInput', <SwitchInput key="" {...faulty} value onChange={nothing} />, 'input'],
  ])('%s has a label, a hint and an error that are announced', (_, element, control) => {
    const html = renderMarkup(element)
    expect(findFirstElement(html, 'label')['for']).toBe('slug')
    expect(findFirstElement(html, control)).toMatchObject({
      id: 'slug',
      'aria-describedby': 'slug-hint slug-error',
      'aria-invalid': 'true',
    })
    expectSoundReferences(html)
  })

  it('is a switch if it takes effect at once', () => {
    expect(findFirstElement(renderMarkup(<SwitchInput name="on" label="Open" value onChange={nothing} />), 'input')).toMatchObject({
      role: 'switch',
      checked: '',
    })
  })

  it("shows a time in the site's time zone and spells it out", () => {
    const html = renderMarkup(
      <DateTimeField
        name="closes"
        label="Closes"
        value="2026-12-14T22:00:00Z"
        onChange={nothing}
        zone="America/Toronto"
        dateLabel="Closing date"
        timeLabel="Closing time"
        clearLabel="Clear"
        halfError="Give both"
        describe={() => 'Monday 14 December at 17:00'}
      />,
    )
    expect(findElements(html, 'input').map(({ value, 'aria-label': label }) => [label, value])).toEqual([
      ['Closing date', '2026-12-14'],
      ['Closing time', '17:00'],
    ])
    expect(toVisibleText(html)).toContain('Monday 14 December at 17:00')
    expectSoundReferences(html)
  })

  it.each([
    ['2026-12-05T', ['2026-12-05', '']],
    ['T17:00', ['', '17:00']],
    ['?T', ['', '']],
  ])('keeps an incomplete time (%s) as typed and shows the error instead of spelling it out', (value, typed) => {
    const html = renderMarkup(
      <DateTimeField
        name="sendAt"
        label="When"
        value={value}
        onChange={nothing}
        zone="America/Toronto"
        dateLabel="Date"
        timeLabel="Time"
        clearLabel="Clear"
        halfError="Enter both a date and a time."
        describe={() => 'a moment'}
      />,
    )
    expect(findElements(html, 'input').map((input) => input['value'])).toEqual(typed)
    expect(findFirstElement(html, 'input')).toMatchObject({ 'aria-invalid': 'true' })
    expect(toVisibleText(html)).toContain('Enter both a date and a time.')
    expect(toVisibleText(html)).not.toContain('a moment')
    expectSoundReferences(html)
  })

  it('is translated beside its original, and each language is marked for screen readers', () => {
    const field = {
      name: 'title',
      label: 'Title',
      source: 'en' as const,
      onChange: nothing,
      sourceLabel: 'Original text (English)',
      copyLabel: 'Start from it',
    }
    const welsh = renderMarkup(<TranslatedField<'en' | 'cy'> {...field} language="cy" values={{ en: 'A library' }} />)
    expect(findFirstElement(welsh, 'input')).toMatchObject({ name: 'title.cy', lang: 'cy', value: '' })
    expect(welsh).toContain('<p lang="en">A library</p>')
    expect(toVisibleText(welsh)).toContain('Start from it')
    const english = renderMarkup(<TranslatedField<'en' | 'cy'> {...field} language="en" values={{ en: 'A library' }} />)
    expect(english).not.toContain('translated-source')
  })
})

describe('controls', () => {
  it('tabs label their panels', () => {
    const html = renderMarkup(
      <Tabs
        label="Views"
        tabs={[
          { id: 'a', title: 'Questions', content: 'Eight' },
          { id: 'b', title: 'Settings', content: 'Two' },
        ]}
      />,
    )
    expect(html).toContain('role="tablist"')
    expect(html).toContain('role="tabpanel"')
    expect(toVisibleText(html)).toContain('Eight')
  })

  it('tab links are a named navigation', () => {
    const html = renderMarkup(
      <TabLinks
        label="Project"
        links={[
          <a key="" href="/a" aria-current="page">
            Summary
          </a>,
        ]}
      />,
    )
    expect(findFirstElement(html, 'nav')['aria-label']).toBe('Project')
  })

  it('language tabs say what is missing in each', () => {
    const html = renderMarkup(
      <LanguageTabs
        label="Language"
        languages={['en', 'cy']}
        missing={(code) => (code === 'cy' ? 2 : 0)}
        missingLabel={(count) => `${count} missing`}
        selected="en"
        onSelect={nothing}
      >
        Fields
      </LanguageTabs>,
    )
    expect(toVisibleText(html)).toBe('English Cymraeg 2 missing Fields')
  })

  it('a toolbar, a segmented control and a menu have names', () => {
    const html = renderMarkup(
      <Toolbar label="Preview">
        <Segmented
          label="Width"
          value="360"
          onChange={nothing}
          options={[
            { value: '360', label: 'Phone' },
            { value: '1280', label: 'Desktop' },
          ]}
        />
        <Menu label="More" trigger={<AdminIcon name="more" />} groups={[[{ id: 'copy', label: 'Copy' }]]} />
      </Toolbar>,
    )
    expect(html).toMatch(/role="toolbar"[^>]*aria-label="Preview"|aria-label="Preview"[^>]*role="toolbar"/)
    expect(html).toMatch(/aria-label="Width"/)
    expect(findElements(html, 'button').at(-1)).toMatchObject({ 'aria-label': 'More', 'aria-haspopup': 'true' })
    expect(renderMarkup(<FilterBar>Fields</FilterBar>)).toContain('Fields')
  })

  it('items can be reordered one by one, and each control names its item', () => {
    const words = {
      drag: (name: string) => `Drag ${name}`,
      menu: (name: string) => `Move ${name}`,
      up: 'Up',
      down: 'Down',
      to: 'To…',
      toTitle: (name: string) => `Move ${name} to`,
      position: 'Position',
      place: (position: number, total: number) => `${position} of ${total}`,
      move: 'Move',
      cancel: 'Cancel',
      close: 'Close',
      moved: (name: string) => name,
    }
    const html = renderMarkup(
      <ReorderableList
        label="Blocks"
        items={[
          { id: 'hero', name: 'Hero' },
          { id: 'grid', name: 'Projects' },
        ]}
        onReorder={nothing}
        words={words}
      >
        {({ name }) => name}
      </ReorderableList>,
    )
    expect(findElements(html, 'button').map((button) => button['aria-label'])).toEqual([
      'Drag Hero',
      'Move Hero',
      'Drag Projects',
      'Move Projects',
    ])
  })

  it.each([
    ['saved', 'status'],
    ['saving', 'status'],
    ['unsaved', 'status'],
    ['conflict', 'alert'],
    ['failed', 'alert'],
  ] as const)('the save bar announces the state %s as %s', (state, role) => {
    expect(findFirstElement(renderMarkup(<SaveBar state={state} text="Words" />), 'p')['role']).toBe(role)
  })
})

describe('figures', () => {
  const chart = {
    title: 'Answers by day',
    words: { view: 'View as', chart: 'Chart', table: 'Table' },
    pointHead: 'Day',
    points: ['1 Nov', '2 Nov'],
    series: [{ name: 'Online', values: [3, 14] }],
    format: String,
  }

  it.each([
    ['lines', <TrendChart key="" {...chart} />],
    ['columns', <ColumnChart key="" {...chart} />],
  ])('of a %s chart can be read point by point or as a table', (_, element) => {
    const html = renderMarkup(element)
    expect(findElements(html, 'input')[0]).toMatchObject({ type: 'range', 'aria-label': 'Day', 'aria-valuetext': '2 Nov: Online 14' })
    expect(toVisibleText(html)).toContain('Chart Table')
    expectSoundReferences(html)
  })

  it('on a card say in words how they changed', () => {
    expect(
      toVisibleText(
        renderMarkup(<StatCard label="People" means="Each person once" value="3,908" change={{ direction: 'up', text: '412 more' }} />),
      ),
    ).toBe('People 3,908 Each person once 412 more')
  })
})

describe('a card choice', () => {
  it('is a group of radio buttons, each described by its sentence', () => {
    const html = renderMarkup(
      <CardChoice
        name="start"
        legend="Start with"
        options={[
          { value: 'nothing', title: 'An empty project', text: 'A title and a summary.' },
          { value: 'street', title: 'A safer street', text: 'Changes to a street.' },
        ]}
        value="street"
        onChange={nothing}
      />,
    )
    expectSoundReferences(html)
    expect(findElements(html, 'input').map(({ type, value, checked }) => [type, value, checked !== undefined])).toEqual([
      ['radio', 'nothing', false],
      ['radio', 'street', true],
    ])
    expect(findFirstElement(html, 'legend')).toBeDefined()
  })
})
