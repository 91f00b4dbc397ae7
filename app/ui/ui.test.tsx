import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { Avatar, initials, Person } from './avatar.tsx'
import { BarChart } from './bar-chart.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Button, ButtonLink, buttonClass } from './button.tsx'
import { Card, Meta } from './card.tsx'
import { Checkbox, CheckboxGroup, RadioGroup } from './choice-group.tsx'
import { DateField } from './date-field.tsx'
import { DefinitionList } from './definition-list.tsx'
import { EmptyState } from './empty-state.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { Hero } from './hero.tsx'
import { KeyDates } from './key-dates.tsx'
import { LineChart } from './line-chart.tsx'
import { Skeleton, Spinner } from './loading.tsx'
import { Notice } from './notice.tsx'
import { PageTitle, SectionHead, SkipLink } from './page.tsx'
import { Pagination } from './pagination.tsx'
import { PasswordField } from './password-field.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { ProjectCard } from './project-card.tsx'
import { Prose } from './prose.tsx'
import { Quote } from './quote.tsx'
import { Rating } from './rating.tsx'
import { Select } from './select.tsx'
import { SiteFooter } from './site-footer.tsx'
import { Brand, LanguageLinks, SiteHeader } from './site-header.tsx'
import { StackedBars } from './stacked-bars.tsx'
import { StatNumbers } from './stat-numbers.tsx'
import { Tag } from './tag.tsx'
import { elements, expectSoundReferences, first, markup, text } from './testing/markup.ts'
import { TextArea } from './text-area.tsx'
import { SearchField, TextField } from './text-field.tsx'

describe('a field', () => {
  const faulty = { name: 'email', label: 'E-mail address', hint: 'We never show it', error: 'Enter an e-mail address' }

  it.each([
    ['TextField', <TextField key="" {...faulty} type="email" autoComplete="email" />, 'input'],
    ['TextArea', <TextArea key="" {...faulty} />, 'textarea'],
    ['Select', <Select key="" {...faulty} options={[{ value: 'a', label: 'A' }]} />, 'select'],
    ['PasswordField', <PasswordField key="" {...faulty} autoComplete="new-password" show="Show" hide="Hide" />, 'input'],
    ['Checkbox', <Checkbox key="" {...faulty} />, 'input'],
  ])('%s has a label, and tells its hint and its error', (_, element, control) => {
    const html = markup(element)
    expect(first(html, 'label')['for']).toBe('email')
    expect(first(html, control)).toMatchObject({
      id: 'email',
      name: 'email',
      'aria-describedby': 'email-hint email-error',
      'aria-invalid': 'true',
    })
    expectSoundReferences(html)
  })

  it('says nothing of hints and faults it does not have', () => {
    const control = first(markup(<TextField name="town" label="Town" />), 'input')
    expect(control).not.toHaveProperty('aria-describedby')
    expect(control).not.toHaveProperty('aria-invalid')
  })

  it('keeps what was typed, and tells the browser what it may fill in', () => {
    const control = first(markup(<TextField {...faulty} type="email" autoComplete="email" defaultValue="rosa@" />), 'input')
    expect(control).toMatchObject({ value: 'rosa@', type: 'email', autoComplete: 'email' })
  })

  it('can be the heading of its page', () => {
    expect(markup(<TextField name="town" label="Where do you live?" heading={1} />)).toMatch(
      /<h1><label[^>]*>Where do you live\?<\/label><\/h1>/,
    )
    expect(markup(<RadioGroup name="a" label="Which?" heading={1} options={[]} />)).toMatch(/<legend[^>]*><h1>Which\?<\/h1><\/legend>/)
  })

  it('counts characters without a script by stating the rule', () => {
    const html = markup(<TextArea name="why" label="Why?" count={{ max: 500, rule: 'Up to 500 characters', left: String }} />)
    expect(first(html, 'textarea')).toMatchObject({ 'aria-describedby': 'why-count' })
    expect(first(html, 'textarea')).not.toHaveProperty('maxLength')
    expect(text(html)).toContain('Up to 500 characters')
    expectSoundReferences(html)
  })

  it('never sends a password back, and hides its button until there is a script', () => {
    const html = markup(<PasswordField name="password" label="Password" autoComplete="current-password" show="Show" hide="Hide" />)
    expect(first(html, 'input')).not.toHaveProperty('value')
    expect(first(html, 'button')).toMatchObject({ type: 'button', 'data-waiting': 'true' })
  })

  it('searches with a label that is read out', () => {
    const html = markup(<SearchField name="q" label="Search projects" button="Search" defaultValue="bus" />)
    expect(first(html, 'input')).toMatchObject({ type: 'search', value: 'bus' })
    expectSoundReferences(html)
  })
})

describe('a group of fields', () => {
  const options = [
    { value: 'bus', label: 'By bus', hint: 'Every six minutes' },
    { value: 'foot', label: 'On foot' },
  ]

  it('offers one choice under its question, and the summary of errors leads to its first answer', () => {
    const html = markup(<RadioGroup name="travel" label="How?" error="Choose one" options={options} defaultValue="foot" />)
    expect(first(html, 'fieldset')).toMatchObject({ role: 'radiogroup', 'aria-describedby': 'travel-error', 'aria-invalid': 'true' })
    expect(elements(html, 'input').map(({ id, type, checked }) => [id, type, checked])).toEqual([
      ['travel', 'radio', undefined],
      ['travel-2', 'radio', ''],
    ])
    expectSoundReferences(html)
  })

  it('offers several choices under one name', () => {
    const html = markup(<CheckboxGroup name="want" label="What?" options={options} defaultValue={['bus', 'foot']} />)
    expect(elements(html, 'input').map(({ name, checked }) => [name, checked])).toEqual([
      ['want', ''],
      ['want', ''],
    ])
    expect(html).toMatch(/<legend[^>]*>What\?<\/legend>/)
  })

  it('rates from one to the last step, and says what both ends mean', () => {
    const html = markup(<Rating name="safe" label="How safe?" steps={5} low="Not at all" high="Completely" defaultValue={4} />)
    expect(elements(html, 'input').map(({ value, checked }) => [value, checked])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', undefined],
      ['4', ''],
      ['5', undefined],
    ])
    expect(first(html, 'fieldset')['aria-describedby']).toBe('safe-ends')
    expectSoundReferences(html)
  })

  it('asks a date in three labelled boxes and marks those that are wrong', () => {
    const html = markup(
      <DateField
        name="born"
        label="Date of birth"
        error="The month must be 1 to 12"
        invalid={['month']}
        partLabels={{ day: 'Day', month: 'Month', year: 'Year' }}
        defaultValue={{ day: '27', month: '13', year: '1984' }}
        birthday
      />,
    )
    expect(elements(html, 'input').map((input) => [input['name'], input['value'], input['autoComplete'], input['aria-invalid']])).toEqual([
      ['born-day', '27', 'bday-day', undefined],
      ['born-month', '13', 'bday-month', 'true'],
      ['born-year', '1984', 'bday-year', undefined],
    ])
    expect(elements(html, 'label')).toHaveLength(3)
    expectSoundReferences(html)
  })
})

describe('what a page says back', () => {
  it('lists what is wrong, takes the focus, and leads to each field', () => {
    const html = markup(
      <ErrorSummary title="There is a problem" errors={[{ id: 'email', message: 'Enter an address' }, { message: 'Closed' }]} />,
    )
    expect(first(html, 'div')).toMatchObject({ tabindex: '-1', autofocus: '' })
    expect(elements(html, 'div')[1]).toMatchObject({ role: 'alert' })
    expect(elements(html, 'a').map(({ href }) => href)).toEqual(['#email'])
    expect(markup(<ErrorSummary title="There is a problem" errors={[]} />)).toBe('')
  })

  it.each([
    ['info', 'note'],
    ['success', 'status'],
    ['warning', 'note'],
    ['error', 'alert'],
  ] as const)('a notice of kind %s has the role %s', (kind, role) => {
    expect(first(markup(<Notice kind={kind}>Words</Notice>), 'div')['role']).toBe(role)
  })

  it('says what is loading', () => {
    expect(markup(<Spinner label="Loading answers" />)).toMatch(/^<output>.*Loading answers/)
    expect(markup(<Skeleton label="Loading answers" />)).toMatch(/^<output.*Loading answers/)
  })

  it('writes progress beside drawing it', () => {
    const html = markup(<ProgressBar label="Question 4 of 8" value={4} max={8} />)
    expect(text(html)).toBe('Question 4 of 8')
    expect(html).toContain('width:50%')
    expect(markup(<ProgressBar label="" value={9} max={0} />)).toContain('width:0%')
  })

  it('offers the next step where a list is empty', () => {
    const html = markup(<EmptyState title="No project matches" action={<a href="/projects">All projects</a>} level={3} />)
    expect(html).toContain('<h3>No project matches</h3>')
    expect(elements(html, 'a')).toHaveLength(1)
  })
})

describe('a page', () => {
  const languages = (
    <LanguageLinks
      label="Language"
      languages={[
        { code: 'en', name: 'English', href: '/en', current: true },
        { code: 'cy', name: 'Cymraeg', href: '/cy', current: false },
      ]}
    />
  )
  const brand = (
    <a className="brand" href="/">
      <Brand name="Riverbend" strapline="Have your say" />
    </a>
  )

  it('can be entered past its header', () => {
    expect(first(markup(<SkipLink>Skip</SkipLink>), 'a')['href']).toBe('#main')
  })

  it('has a header that folds without a script and names its navigation', () => {
    const html = markup(
      <SiteHeader
        brand={brand}
        navLabel="Main"
        nav={[
          <a key="" href="/projects" aria-current="page">
            Projects
          </a>,
        ]}
        languages={languages}
        account={<a href="/sign-in">Sign in</a>}
        menuLabel="Menu"
      />,
    )
    expect(elements(html, 'nav').map((nav) => nav['aria-label'])).toEqual(['Main', 'Language', 'Main'])
    expect(elements(html, 'details')).toHaveLength(1)
    expect(html).toMatch(/<summary>.*Menu<\/summary>/)
  })

  it('names each language in that language', () => {
    const html = markup(languages)
    expect(elements(html, 'a')).toEqual([{ href: '/cy', lang: 'cy', hrefLang: 'cy' }])
    expect(html).toContain('<span lang="en" aria-current="true">English</span>')
  })

  it('has a footer whose groups have headings', () => {
    const html = markup(
      <SiteFooter
        brand={brand}
        groups={[
          {
            title: 'About',
            links: [
              <a key="" href="/a">
                A
              </a>,
            ],
          },
        ]}
        legal={[
          <a key="" href="/p">
            Privacy
          </a>,
        ]}
        note="Parley"
      />,
    )
    expect(html).toContain('<h2>About</h2>')
    expect(text(html)).toContain('Privacy')
  })

  it('has one first heading, in a hero or without', () => {
    expect(elements(markup(<Hero title="What next?" lead="Tell us" />), 'h1')).toHaveLength(1)
    expect(elements(markup(<PageTitle title="Projects" eyebrow="Transport" lead="All of them" />), 'h1')).toHaveLength(1)
    expect(markup(<SectionHead title="Open now" id="open" />)).toContain('<h2 id="open">')
  })

  it('shows the way here', () => {
    const html = markup(
      <Breadcrumbs
        label="You are here"
        links={[
          <a key="" href="/">
            Home
          </a>,
        ]}
        current="Projects"
      />,
    )
    expect(first(html, 'nav')['aria-label']).toBe('You are here')
    expect(html).toContain('<span aria-current="page">Projects</span>')
  })

  it('pages through a list: ends, neighbours, and what a number means', () => {
    const html = markup(
      <Pagination
        label="Pages"
        page={5}
        pages={9}
        previous="Previous"
        next="Next"
        pageLabel={(page) => `Page ${page}`}
        link={(page, children, attributes) => (
          <a href={`?page=${page}`} {...attributes}>
            {children}
          </a>
        )}
      />,
    )
    expect(text(html)).toBe('Previous 1 … 4 Page 5 5 6 … 9 Next')
    expect(elements(html, 'a').map(({ rel, href }) => [rel, href])).toContainEqual(['next', '?page=6'])
    expect(elements(html, 'a').map((link) => link['aria-label'])).toContain('Page 9')
  })

  it('has no page numbers where one page holds all', () => {
    expect(markup(<Pagination label="" page={1} pages={1} previous="" next="" pageLabel={String} link={() => null} />)).toBe('')
  })
})

describe('content', () => {
  it('a project card is one link, its title, and its picture comes after', () => {
    const html = markup(
      <ProjectCard
        title={<a href="/p">A library</a>}
        picture={<img src="/x.webp" alt="" />}
        tag={<Tag kind="open">Open</Tag>}
        summary="Three sites"
        meta={['412 people']}
      />,
    )
    expect(html).toContain('<h3><a href="/p">A library</a></h3>')
    expect(html.indexOf('<img')).toBeGreaterThan(html.indexOf('412 people'))
    expect(first(html, 'svg')['aria-hidden']).toBe('true')
  })

  it('a chart of bars is a table with every figure in it; shares are drawn on a scale from 0 to 100 %, whichever is the greatest', () => {
    const html = markup(
      <BarChart
        title="How would you travel?"
        heads={{ label: 'Answer', bar: 'Share', count: 'People' }}
        bars={[
          { label: 'By bus', count: 30, share: { part: 0.39, words: '39%' }, counted: '30 people', mark: 'Your answer' },
          { label: 'By car', count: 10, share: { part: 0.13, words: '13%' }, counted: '10 people' },
        ]}
      />,
    )
    expect(elements(html, 'th').map(({ scope }) => scope)).toEqual(['col', 'col', 'col', 'row', 'row'])
    expect(text(html)).toContain('By bus Your answer')
    expect(text(html)).toContain('10 people')
    expect(html.match(/width:[\d.]+%/g)).toEqual(['width:39%', 'width:13%'])
  })

  it('bars of counts that are no shares are drawn beside the largest', () => {
    const bars = [30, 10].map((count) => ({ label: `Day ${count}`, count, counted: `${count}` }))
    const html = markup(<BarChart title="Visits" heads={{ label: 'Day', bar: 'Bar', count: 'Visits' }} bars={bars} ends={['0', '30']} />)
    expect(html.match(/width:[\d.]+%/g)).toEqual(['width:100%', 'width:33.3%'])
    expect(text(html)).toContain('0 30')
  })

  it('stacked bars keep their place on the scale where a part is not shown, and stand apart where parts come to more than the whole', () => {
    const part = (at: number) => ({ count: at * 100, counted: '', share: { part: at, words: `${at * 100}%` } })
    const row = { label: 'Path', parts: [part(0.6), { count: null, counted: 'few' }] }
    const chart = (parts: Parameters<typeof StackedBars>[0]['rows'], apart?: boolean) =>
      markup(
        <StackedBars
          title="Paths"
          series={['Good', 'Bad']}
          words={{ label: 'Path', table: 'Table' }}
          rows={parts}
          {...(apart ? { apart } : {})}
        />,
      )
    expect(chart([row])).toContain('width:60%')
    const several = chart([{ label: 'Path', parts: [part(0.6), part(0.7)] }], true)
    expect(several.match(/width:[\d.]+%/g)).toEqual(['width:60%', 'width:70%'])
    expect(several.match(/class="stacked-track"/g)).toHaveLength(2)
  })

  it('a chart of lines has its figures in a table, and says nothing twice', () => {
    const html = markup(
      <LineChart
        title="Answers"
        pointHead="Week"
        points={['1', '2']}
        series={[{ name: 'Online', values: [3, null] }]}
        format={String}
        tableLabel="Figures"
      />,
    )
    expect(html).toMatch(/<th scope="row">1<\/th><td class="number">3<\/td>/)
    expect(html).toMatch(/<th scope="row">2<\/th><td class="number">–<\/td>/)
    expect(elements(html, 'svg').map((svg) => svg['aria-hidden'])).toEqual(['true', 'true'])
    expectSoundReferences(html)
  })

  it('key dates are in order, and the one in course is marked in words', () => {
    const html = markup(
      <KeyDates
        dates={[
          { date: '2026-10-01', shown: '1 October', label: 'Opened', state: 'past', stateLabel: 'Done' },
          { date: '2026-12-14', shown: '14 December', label: 'Survey', state: 'current', stateLabel: 'Now' },
        ]}
      />,
    )
    expect(elements(html, 'time').map(({ dateTime }) => dateTime)).toEqual(['2026-10-01', '2026-12-14'])
    expect(elements(html, 'li').map((item) => item['aria-current'])).toEqual([undefined, 'step'])
    expect(text(html)).toContain('Survey Now')
  })

  it('facts and numbers are pairs of a term and its value', () => {
    expect(markup(<DefinitionList items={[{ term: 'Cost', value: '$4 million' }]} />)).toContain('<dt>Cost</dt><dd>$4 million</dd>')
    expect(markup(<StatNumbers items={[{ value: '31', label: 'decisions' }]} />)).toContain('<dt>decisions</dt><dd>31</dd>')
  })

  it("people's own words keep their language", () => {
    expect(
      first(
        markup(
          <Quote language="cy" source="Ar y bws">
            Mwy o gysgod.
          </Quote>,
        ),
        'blockquote',
      )['lang'],
    ).toBe('cy')
    expect(markup(<Prose html="<p>Words</p>" />)).toBe('<div class="prose"><p>Words</p></div>')
  })

  it('initials stand in for a face and are not read out', () => {
    expect(initials('Maeve van der O’Connell')).toBe('MO')
    expect(initials('Ŵyn')).toBe('Ŵ')
    expect(initials('')).toBe('')
    expect(first(markup(<Avatar name="Amrit Singh" />), 'span')).toMatchObject({ 'aria-hidden': 'true', 'data-initials': 'AS' })
    expect(text(markup(<Person name="Amrit Singh" part="Engagement" />))).toBe('Amrit Singh Engagement')
  })

  it('cards hold their content and their meta in a list', () => {
    expect(markup(<Card tone="wash">Words</Card>)).toContain('card-wash')
    expect(elements(markup(<Meta items={['412 people', 'Culture']} />), 'li')).toHaveLength(2)
  })
})

describe('a button', () => {
  it('looks the same on a button, a link and a router link', () => {
    const look = buttonClass({ kind: 'secondary', size: 'small' })
    expect(first(markup(<Button type="submit" kind="secondary" size="small" />), 'button')['class']).toBe(look)
    expect(
      first(
        markup(
          <ButtonLink href="/" kind="secondary" size="small">
            Go
          </ButtonLink>,
        ),
        'a',
      )['class'],
    ).toBe(look)
  })

  it('submits its form only if it says so', () => {
    const typeOf = (button: ReactElement) => first(markup(button), 'button')['type']
    expect(typeOf(<Button onClick={() => undefined}>Add a question</Button>)).toBe('button')
    expect(typeOf(<Button type="submit">Save</Button>)).toBe('submit')
  })

  it('stays reachable while it works', () => {
    const button = first(
      markup(
        <Button type="submit" pending>
          Sending
        </Button>,
      ),
      'button',
    )
    expect(button).toMatchObject({ 'aria-disabled': 'true' })
    expect(button).not.toHaveProperty('disabled')
  })

  it('marks a state by a drawing and by words', () => {
    expect(text(markup(<Tag kind="soon">Closes in 2 days</Tag>))).toBe('Closes in 2 days')
    expect(
      new Set(
        (['open', 'soon', 'closed', 'results', 'draft'] as const).map(
          (kind) => /<svg.*<\/svg>/.exec(markup(<Tag kind={kind}>x</Tag>))?.[0],
        ),
      ).size,
    ).toBe(5)
  })
})
