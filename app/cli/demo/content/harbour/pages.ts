import { onlyEn } from '../texts.ts'
import type { DemoPage } from '../types.ts'

export const pages: DemoPage[] = [
  {
    slug: 'about',
    kind: 'page',
    title: onlyEn('How your say counts'),
    body: onlyEn(
      `Harbour Council acknowledges the Traditional Owners of the land and waters we look after, and pays respect to Elders past and present.

This is where the council asks before it decides. Every consultation has a page, from the first question to what came of it.

## What we promise
- To ask early, and to say plainly what is not open.
- To read everything and publish what you told us within six weeks.
- To say what changes because of you, what does not, and why.

## Who can take part
Anyone who lives, works, studies or swims in Harbour, whatever your age or visa. Most surveys need no account.

## Other ways
Every survey is on paper at the libraries, and by telephone with an interpreter in 41 languages. You can reach us at [hello@harbour.example](mailto:hello@harbour.example).`,
    ),
  },
  {
    slug: 'privacy',
    kind: 'legal',
    title: onlyEn('Privacy'),
    body: onlyEn(
      `Harbour Council handles personal information on this site under the Privacy and Personal Information Protection Act 1998 (NSW).

## What we keep
- Your answers to surveys. Where a survey says that it is anonymous, no account, name or network address is kept with them.
- If you have an account: your email address, the name you choose and the projects you follow.
- For security: the time and network address of each sign-in, for ninety days.

## What we do with it
We use answers to plan services and publish them as totals. We publish people’s words without their names, and leave out anything that would give them away. Groups of fewer than five people are never shown. We do not sell information.

## Where it is
On servers in Sydney, run by a company under contract to us. It does not leave Australia.

## How long
Answers are kept for two years after a project closes and then made anonymous. An account that nobody has used for three years is removed, after a warning.

## Your rights
You can see, download, correct or delete everything we hold about you on your account page. You can also write to our privacy officer at [privacy@harbour.example](mailto:privacy@harbour.example), ask for an internal review, or go to the NSW Information and Privacy Commission.`,
    ),
  },
  {
    slug: 'terms',
    kind: 'legal',
    title: onlyEn('Terms of use'),
    body: onlyEn(
      `A few plain rules come with using this site.

## What you write
It stays yours. You let the council read, count, translate and publish it without your name, for the consultation and the reports that follow.

## What we will not publish
- Insults, threats and vilification.
- Personal information about somebody else.
- Advertising.

If we hold something back we tell the author which rule it broke, and the author can ask for someone else to look again.

## Counting fairly
One person, one answer, where the survey says so. Answers sent by machine are left out, and we say how many there were.

## Copying
Texts and drawings of the council may be used under the Creative Commons Attribution 4.0 licence.

## If we are wrong
We take care that everything here is right. Where this site differs from a decision of Council, the decision applies.`,
    ),
  },
  {
    slug: 'accessibility',
    kind: 'legal',
    title: onlyEn('Accessibility'),
    body: onlyEn(
      `Everyone must be able to have a say. The site is built to meet level AA of the Web Content Accessibility Guidelines (WCAG) 2.2, and to live up to the Disability Discrimination Act 1992.

## What that means
- Everything works with a keyboard, with a screen reader and at 400 per cent zoom.
- Surveys work without JavaScript, and a half-finished answer is never thrown away.
- Every chart has a table behind it, and every place on a map has an address.
- Nothing flashes, and movement stops if your device asks for less of it.

## What does not work yet
Engineering drawings from before {year:-2} are scanned pictures. Ask, and we will describe them for you within three working days.

## Tell us
If something stops you, write to [access@harbour.example](mailto:access@harbour.example) or use the National Relay Service. We answer within two working days. You can also answer any survey by telephone, on paper, in Auslan by video, or with help at a library.`,
    ),
  },
  {
    slug: 'cookies',
    kind: 'legal',
    title: onlyEn('Cookies'),
    body: onlyEn(
      `A cookie is a small note that a site leaves in your browser. We leave as few as we can.

[Cookies and other services](/cookies) lists every one of them, what it is for and how long it stays. The list is made by the site itself, so that it is always complete.

Answers you have begun are kept in your own browser, and on our server once you go on to the next step or choose to finish later.

No advertising network receives anything.`,
    ),
  },
]
