import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import { findElements, expectSoundReferences, findFirstElement, renderMarkup, toVisibleText } from '#tests/support/markup.ts'
import { Avatar, toInitials, Person } from './avatar.tsx'
import { BarChart } from './bar-chart.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { Button, ButtonLink, getButtonClass } from './button.tsx'
import { Card, Meta } from './card.tsx'
import { Checkbox, CheckboxGroup, RadioGroup } from './choice-group.tsx'
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
import { Quote } from './quote.tsx'
import { Rating } from './rating.tsx'
import { Select } from './select.tsx'
import { SiteFooter } from './site-footer.tsx'
import { Brand, LanguageLinks, SiteHeader } from './site-header.tsx'
import { StackedBars } from './stacked-bars.tsx'
import { StatNumbers } from './stat-numbers.tsx'
import { Tag } from './tag.tsx'
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
  ])('%s has a label, a hint and an error that are announced', (_, element, control) => {
    const html = renderMarkup(element)
    expect(findFirstElement(html, 'label')['for']).toBe('email')
    expect(findFirstElement(html, control)).toMatchObject({
      id: 'email',
      name: 'email',
      'aria-describedby': 'email-hint email-error',
      'aria-invalid': 'true',
    })
    expectSoundReferences(html)
  })

  it('does not refer to hints and errors that it does not have', () => {
    const control = findFirstElement(renderMarkup(<TextField name="town" label="Town" />), 'input')
    expect(control).not.toHaveProperty('aria-describedby')
    expect(control).not.toHaveProperty('aria-invalid')
  })

  it('keeps what was typed and allows autofill', () => {
    const control = findFirstElement(
      renderMarkup(<TextField {...faulty} type="email" autoComplete="email" defaultValue="rosa@" />),
      'input',
    )
    expect(control).toMatchObject({ value: 'rosa@', type: 'email', autoComplete: 'email' })
  })

  it('can be the heading of its page', () => {
    expect(renderMarkup(<TextField name="town" label="Where do you live?" heading={1} />)).toMatch(
      /<h1><label[^>]*>Where do you live\?<\/label><\/h1>/,
    )
    expect(renderMarkup(<RadioGroup name="a" label="Which?" heading={1} options={[]} />)).toMatch(
      /<legend[^>]*><h1>Which\?<\/h1><\/legend>/,
    )
  })

  it('states the character limit without scripts', () => {
    const html = renderMarkup(<TextArea name="why" label="Why?" count={{ max: 500, rule: 'Up to 500 characters', left: String }} />)
    expect(findFirstElement(html, 'textarea')).toMatchObject({ 'aria-describedby': 'why-count' })
    expect(findFirstElement(html, 'textarea')).not.toHaveProperty('maxLength')
    expect(toVisibleText(html)).toContain('Up to 500 characters')
    expectSoundReferences(html)
  })

  it('never sends a password back, and hides its button until scripts run', () => {
    const html = renderMarkup(<PasswordField name="password" label="Password" autoComplete="current-password" show="Show" hide="Hide" />)
    expect(findFirstElement(html, 'input')).not.toHaveProperty('value')
    expect(findFirstElement(html, 'button')).toMatchObject({ type: 'button', 'data-waiting': 'true' })
  })

  it('has a label for screen readers if it is a search box', () => {
    const html = renderMarkup(<SearchField name="q" label="Search projects" button="Search" defaultValue="bus" />)
    expect(findFirstElement(html, 'input')).toMatchObject({ type: 'search', value: 'bus' })
    expectSoundReferences(html)
  })
})

describe('a group of fields', () => {
  const options = [
    { value: 'bus', label: 'By bus', hint: 'Every six minutes' },
    { value: 'foot', label: 'On foot' },
  ]

  it('offers a single choice under its question, and the error summary links to its first option', () => {
    const html = renderMarkup(<RadioGroup name="travel" label="How?" error="Choose one" options={options} defaultValue="foot" />)
    expect(findFirstElement(html, 'fieldset')).toMatchObject({
      role: 'radiogroup',
      'aria-describedby': 'travel-error',
      'aria-invalid': 'true',
    })
    expect(findElements(html, 'input').map(({ id, type, checked }) => [id, type, checked])).toEqual([
      ['travel', 'radio', undefined],
      ['travel-2', 'radio', ''],
    ])
    expectSoundReferences(html)
  })

  it('offers several choices under one name', () => {
    const html = renderMarkup(<CheckboxGroup name="want" label="What?" options={options} defaultValue={['bus', 'foot']} />)
    expect(findElements(html, 'input').map(({ name, checked }) => [name, checked])).toEqual([
      ['want', ''],
      ['want', ''],
    ])
    expect(html).toMatch(/<legend[^>]*>What\?<\/legend>/)
  })

  it('tells the hint of the question from that of its first choice', () => {
    const hinted = options.map((option) => ({ ...option, hint: `About ${option.value}` }))
    const html = renderMarkup(<CheckboxGroup name="want" label="What?" hint="Choose all that apply." options={hinted} />)
    expectSoundReferences(html)
    expect(new Set(findElements(html, 'input').map((input) => input['aria-describedby'])).size).toBe(2)
  })

  it('offers a rating from one to the last step and labels both ends', () => {
    const html = renderMarkup(<Rating name="safe" label="How safe?" steps={5} low="Not at all" high="Completely" defaultValue={4} />)
    expect(findElements(html, 'input').map(({ value, checked }) => [value, checked])).toEqual([
      ['1', undefined],
      ['2', undefined],
      ['3', undefined],
      ['4', ''],
      ['5', undefined],
    ])
    expect(findFirstElement(html, 'fieldset')['aria-describedby']).toBe('safe-ends')
    expectSoundReferences(html)
  })
})

describe('feedback on a page', () => {
  it('lists the errors, takes focus and links to each field', () => {
    const html = renderMarkup(
      <ErrorSummary title="There is a problem" errors={[{ id: 'email', message: 'Enter an address' }, { message: 'Closed' }]} />,
    )
    expect(findFirstElement(html, 'div')).toMatchObject({ tabindex: '-1', autofocus: '' })
    expect(findElements(html, 'div')[1]).toMatchObject({ role: 'alert' })
    expect(findElements(html, 'a').map(({ href }) => href)).toEqual(['#email'])
    expect(renderMarkup(<ErrorSummary title="There is a problem" errors={[]} />)).toBe('')
  })

  it.each([
    ['info', 'note'],
    ['success', 'status'],
    ['warning', 'note'],
    ['error', 'alert'],
  ] as const)('a notice of kind %s has the role %s', (kind, role) => {
    expect(findFirstElement(renderMarkup(<Notice kind={kind}>Words</Notice>), 'div')['role']).toBe(role)
  })

  it('says what is loading', () => {
    expect(renderMarkup(<Spinner label="Loading answers" />)).toMatch(/^<output>.*Loading answers/)
    expect(renderMarkup(<Skeleton label="Loading answers" />)).toMatch(/^<output.*Loading answers/)
  })

  it('shows progress as text and as a bar', () => {
    const html = renderMarkup(<ProgressBar label="Question 4 of 8" value={4} max={8} />)
    expect(toVisibleText(html)).toBe('Question 4 of 8')
    expect(html).toContain('width:50%')
    expect(renderMarkup(<ProgressBar label="" value={9} max={0} />)).toContain('width:0%')
  })

  it('offers the next step if a list is empty', () => {
    const html = renderMarkup(<EmptyState title="No projects match" action={<a href="/projects">All projects</a>} level={3} />)
    expect(html).toContain('<h3>No projects match</h3>')
    expect(findElements(html, 'a')).toHaveLength(1)
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

  it('has a skip link', () => {
    expect(findFirstElement(renderMarkup(<SkipLink>Skip</SkipLink>), 'a')['href']).toBe('#main')
  })

  it('has a header that collapses without scripts and names its navigation', () => {
    const html = renderMarkup(
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
    expect(findElements(html, 'nav').map((nav) => nav['aria-label'])).toEqual(['Main', 'Language', 'Main'])
    expect(findElements(html, 'details')).toHaveLength(1)
    expect(html).toMatch(/<summary>.*Menu<\/summary>/)
  })

  it('names each language in that language', () => {
    const html = renderMarkup(languages)
    expect(findElements(html, 'a')).toEqual([{ href: '/cy', lang: 'cy', hrefLang: 'cy' }])
    expect(html).toContain('<span lang="en" aria-current="true">English</span>')
  })

  it('has a footer whose groups have headings', () => {
    const html = renderMarkup(
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
    expect(toVisibleText(html)).toContain('Privacy')
  })

  it('has exactly one h1, with or without a hero', () => {
    expect(findElements(renderMarkup(<Hero title="What next?" lead="Tell us" />), 'h1')).toHaveLength(1)
    expect(findElements(renderMarkup(<PageTitle title="Projects" eyebrow="Transport" lead="All of them" />), 'h1')).toHaveLength(1)
    expect(renderMarkup(<SectionHead title="Open now" id="open" />)).toContain('<h2 id="open">')
  })

  it('shows breadcrumbs', () => {
    const html = renderMarkup(
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
    expect(findFirstElement(html, 'nav')['aria-label']).toBe('You are here')
    expect(html).toContain('<span aria-current="page">Projects</span>')
  })

  it('paginates a list with ends, neighbours and labelled numbers', () => {
    const html = renderMarkup(
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
    expect(toVisibleText(html)).toBe('Previous 1 … 4 Page 5 5 6 … 9 Next')
    expect(findElements(html, 'a').map(({ rel, href }) => [rel, href])).toContainEqual(['next', '?page=6'])
    expect(findElements(html, 'a').map((link) => link['aria-label'])).toContain('Page 9')
  })

  it('has no page numbers if everything fits on one page', () => {
    expect(renderMarkup(<Pagination label="" page={1} pages={1} previous="" next="" pageLabel={String} link={() => null} />)).toBe('')
  })
})

describe('content', () => {
  it('a project card has a single link, its title, and the picture comes after it', () => {
    const html = renderMarkup(
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
    expect(findFirstElement(html, 'svg')['aria-hidden']).toBe('true')
  })

  it('a bar chart is a table with every figure; shares use a scale from 0 to 100 %, whatever the largest is', () => {
    const html = renderMarkup(
      <BarChart
        title="How would you travel?"
        heads={{ label: 'Answer', bar: 'Share', count: 'People' }}
        bars={[
          { label: 'By bus', count: 30, share: { part: 0.39, words: '39%' }, counted: '30 people', mark: 'Your answer' },
          { label: 'By car', count: 10, share: { part: 0.13, words: '13%' }, counted: '10 people' },
        ]}
      />,
    )
    expect(findElements(html, 'th').map(({ scope }) => scope)).toEqual(['col', 'col', 'col', 'row', 'row'])
    expect(toVisibleText(html)).toContain('By bus Your answer')
    expect(toVisibleText(html)).toContain('10 people')
    expect(html.match(/width:[\d.]+%/g)).toEqual(['width:39%', 'width:13%'])
  })

  it('bars of plain counts are relative to the largest', () => {
    const bars = [30, 10].map((count) => ({ label: `Day ${count}`, count, counted: `${count}` }))
    const html = renderMarkup(
      <BarChart title="Visits" heads={{ label: 'Day', bar: 'Bar', count: 'Visits' }} bars={bars} ends={['0', '30']} />,
    )
    expect(html.match(/width:[\d.]+%/g)).toEqual(['width:100%', 'width:33.3%'])
    expect(toVisibleText(html)).toContain('0 30')
  })

  it('stacked bars keep their place if a part is suppressed, and are separate if the parts exceed the whole', () => {
    const part = (at: number) => ({ count: at * 100, counted: '', share: { part: at, words: `${at * 100}%` } })
    const row = { label: 'Path', parts: [part(0.6), { count: null, counted: 'few' }] }
    const chart = (parts: Parameters<typeof StackedBars>[0]['rows'], apart?: boolean) =>
      renderMarkup(
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

  it('a line chart has its figures in a table and repeats nothing', () => {
    const html = renderMarkup(
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
    expect(findElements(html, 'svg').map((svg) => svg['aria-hidden'])).toEqual(['true', 'true'])
    expectSoundReferences(html)
  })

  it('key dates are in order, and the current one is marked as text', () => {
    const html = renderMarkup(
      <KeyDates
        dates={[
          { date: '2026-10-01', shown: '1 October', label: 'Opened', state: 'past', stateLabel: 'Done' },
          { date: '2026-12-14', shown: '14 December', label: 'Survey', state: 'current', stateLabel: 'Now' },
        ]}
      />,
    )
    expect(findElements(html, 'time').map(({ dateTime }) => dateTime)).toEqual(['2026-10-01', '2026-12-14'])
    expect(findElements(html, 'li').map((item) => item['aria-current'])).toEqual([undefined, 'step'])
    expect(toVisibleText(html)).toContain('Survey Now')
  })

  it('facts and numbers are pairs of a term and its value', () => {
    expect(renderMarkup(<DefinitionList items={[{ term: 'Cost', value: '$4 million' }]} />)).toContain('<dt>Cost</dt><dd>$4 million</dd>')
    expect(renderMarkup(<StatNumbers items={[{ value: '31', label: 'decisions' }]} />)).toContain('<dt>decisions</dt><dd>31</dd>')
  })

  it('quotes keep their language', () => {
    expect(
      findFirstElement(
        renderMarkup(
          <Quote language="cy" source="Ar y bws">
            Mwy o gysgod.
          </Quote>,
        ),
        'blockquote',
      )['lang'],
    ).toBe('cy')
  })

  it('initials replace a missing portrait and are hidden from screen readers', () => {
    expect(toInitials('Maeve van der O’Connell')).toBe('MO')
    expect(toInitials('Ŵyn')).toBe('Ŵ')
    expect(toInitials('')).toBe('')
    expect(findFirstElement(renderMarkup(<Avatar name="Amrit Singh" />), 'span')).toMatchObject({
      'aria-hidden': 'true',
      'data-initials': 'AS',
    })
    expect(toVisibleText(renderMarkup(<Person name="Amrit Singh" part="Engagement" />))).toBe('Amrit Singh Engagement')
  })

  it('cards hold their content and list their meta', () => {
    expect(renderMarkup(<Card tone="wash">Words</Card>)).toContain('card-wash')
    expect(findElements(renderMarkup(<Meta items={['412 people', 'Culture']} />), 'li')).toHaveLength(2)
  })
})

describe('a button', () => {
  it('looks the same as a button, a link and a router link', () => {
    const look = getButtonClass({ kind: 'secondary', size: 'small' })
    expect(findFirstElement(renderMarkup(<Button type="submit" kind="secondary" size="small" />), 'button')['class']).toBe(look)
    expect(
      findFirstElement(
        renderMarkup(
          <ButtonLink href="/" kind="secondary" size="small">
            Go
          </ButtonLink>,
        ),
        'a',
      )['class'],
    ).toBe(look)
  })

  it('submits its form only if it says so', () => {
    const typeOf = (button: ReactElement) => findFirstElement(renderMarkup(button), 'button')['type']
    expect(typeOf(<Button onClick={() => undefined}>Add a question</Button>)).toBe('button')
    expect(typeOf(<Button type="submit">Save</Button>)).toBe('submit')
  })

  it('stays focusable while pending', () => {
    const button = findFirstElement(
      renderMarkup(
        <Button type="submit" pending>
          Sending
        </Button>,
      ),
      'button',
    )
    expect(button).toMatchObject({ 'aria-disabled': 'true' })
    expect(button).not.toHaveProperty('disabled')
  })

  it('a tag marks its state with an icon and text', () => {
    expect(toVisibleText(renderMarkup(<Tag kind="soon">Closes in 2 days</Tag>))).toBe('Closes in 2 days')
    expect(
      new Set(
        (['open', 'soon', 'closed', 'results', 'draft'] as const).map(
          (kind) => /<svg.*<\/svg>/.exec(renderMarkup(<Tag kind={kind}>x</Tag>))?.[0],
        ),
      ).size,
    ).toBe(5)
  })
})
