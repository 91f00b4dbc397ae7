/**
 * Files of script that participants' pages are put together from, and what belongs in each: few enough to be requested at once, and by
 * use, so that no page loads much that it does not need. A module goes to the first group that names it; others come with the page that
 * imports them.
 */
export const SCRIPT_GROUPS = [
  { name: 'server-calls', test: isForServerCalls, includeDependenciesRecursively: false },
  { name: 'framework', test: isInFramework },
  // Code around every participants' page, and small modules of most of them.
  nameGroup('site', [
    'routes/_site.tsx',
    'features/sites/(SiteChrome|ErrorPageNavigation|sites.functions)',
    'features/projects/projects.functions',
    'shell/(use-format|analytics-events|returned-form|project-breadcrumbs)',
    'lib/(format|welsh-format|vocabulary/surveys)',
    'ui/(definition-list|site-header|site-footer|bubbles|text-field|field|icon|text|tag|card|empty-state|notice|breadcrumbs|scroll-region|RichBlocks)',
  ]),
  nameGroup('forms', [
    'ui/(error-summary|filter-details|use-focus-when-shown|choice-group|select|text-area|progress-bar|find-place|file-chooser)',
    'shell/(use-form-action|use-return-to-receipt|use-language|use-content-language|use-first-use|form-state.functions|browser-token|browser-token.functions)',
    'lib/fault-title',
    'features/participation/keeping/LanguageButtons',
    'features/areas/map/place-picker.queries',
  ]),
  nameGroup('tiles', ['ui/project-card', 'features/hubs/HubTile', 'features/projects/(ProjectTile|PhaseTag)']),
  // With the blocks that homepages begin with.
  nameGroup('home', [
    'routes/_site/index.tsx',
    'features/homepage/(HomePage|homepage.functions|block-views|block-parts)',
    'features/homepage/blocks/(counters|divider|featured-project|hero|hub-grid|project-grid|voices)/[A-Z][a-zA-Z]+',
    'ui/(split-views|hero|quote|stat-numbers)',
  ]),
  nameGroup('open-data', ['ui/data-figure', 'features/homepage/blocks/open-data/OpenData']),
  nameGroup('lines', ['ui/(chart-scale|line-plot|line-chart)', 'ui/drawings/Lines']),
  // What the page of a project needs as well as those of its activities.
  nameGroup('activities', [
    'features/contributions/(contributions.functions|parts/contribution-parts)',
    'features/budgets/budgets.functions',
    'features/events/events.functions',
    'features/surveys/poll/poll.functions',
  ]),
  // What the list of contributions, the page of one and the form for one share.
  nameGroup('contributions', [
    'lib/(vocabulary/contributions|kept-items|is-stored)',
    'features/participation/keeping/KeptForm',
    'features/contributions/(parts/(use-reaction-counts|use-contribution-faults|sender-fields|writing-address)|places/(MapPicture|MapSign|use-size-text|use-search-texts))',
    'features/contributions/parts/lazy-closed',
    'features/contributions/(photos/Photos|record/(photos.schema|fields.schema|places.schema|translations.schema)|translating/Translation|fields/describe-typed|layers/MapLayers)',
  ]),
  // Loaded where a text is in another language, or says something else than before.
  nameGroup('other-texts', [
    'features/contributions/(translating/(TranslationControl|is-asked-for)|pages/(FormerVersions|FormerWordings))',
  ]),
  nameGroup('contribution-list', [
    'routes/_site/projects.\\$slug.\\$activity.index.tsx',
    'features/contributions/(pages/ActivityPage|parts/InvitationForm|places/(PlacesMap|MapLinks|ListSearch))',
  ]),
  nameGroup('map-picture', ['(ui|lib)/map-picture', 'ui/use-map-gestures']),
  nameGroup('contribution-form', [
    'routes/_site/projects.\\$slug.\\$activity.new.tsx',
    'features/contributions/(pages/WritePage|parts/(SimilarNotice|ClosedWhileWriting|use-write-labels)|places/(PlaceWriting|DrawnFields|PressedDrawing|PointList|use-drawing-words|search-places.functions))',
    'lib/geometry',
    'features/contributions/(fields/FieldInputs|photos/PhotoFields|parts/PersonalDataNotice|record/(drawing.schema|personal-data.schema))',
  ]),
  nameGroup('contribution-page', [
    'routes/_site/projects.\\$slug.\\$activity.\\$number.index.tsx',
    'features/contributions/(pages/(ContributionPage|OfficialAnswer)|parts/MergedNotice|places/ContributionMap|fields/FieldAnswers)',
  ]),
  // Comes once the form stands.
  nameGroup('place-picker', [
    'features/areas/(map/(PlacePicker|picker-fields|AreaBackdrop|StreetBackdrop|map-moves.schema|map-view.schema)|area-map.(queries|functions|schema)|polygons.schema)',
  ]),
  nameGroup('project', [
    'routes/_site/projects.\\$slug.index.tsx',
    'features/projects/(ProjectPage|ProjectContents|ProjectSurveys)',
    'features/contributions/pages/(ActivityCard|ProjectStages)',
    'features/(opencities/ProjectDatasets|follows/FollowButton|surveys/poll/lazy-poll|budgets/pages/lazy-budget-card|events/pages/lazy-event-card)',
  ]),
  nameGroup('project-side', ['features/projects/ProjectSide', 'ui/(avatar|key-dates|faq)']),
  nameGroup('datasets', ['features/opencities/(DatasetCards|reading.functions)']),
  nameGroup('texts', ['lib/rich-text', 'ui/RichText']),
  // Keeps what is typed in a form. Comes once the form stands, but with a survey.
  nameGroup('keeping', ['features/participation/keeping/(keep-form|use-send-when-online)']),
  // What a survey's page shares with its results and receipt.
  nameGroup('survey-parts', [
    'features/participation/keeping/kept-on-device',
    'lib/answer-items',
    'features/surveys/answering/(answers-on-device|answering.functions|SurveyBar|use-forget-answers)',
    'features/surveys/questionnaire/(answer-limits|use-survey-words|field-names)',
    'features/surveys/questionnaire/question-types/(text-tools|question-type|choices/options|budget/budget|scales/scales)',
    'lib/(json-equal|localised-text|translated)',
  ]),
  // What every survey is answered with, however it is laid out.
  nameGroup('survey', [
    'routes/_site/projects.\\$slug.surveys.\\$survey.index.tsx',
    'features/surveys/answering/(describe-faults|use-send-answers|use-kept-answers|use-step-[a-z]+)',
    'features/surveys/answering/(SurveyPage|SurveySection|SurveyIntro|ResendNotice|SendButtons|QuestionField|AnswerList)',
    'features/surveys/answering/(lazy-(components|finish-later|from-profile|given-notice|changed-meanwhile)|profile-fields)',
    'features/surveys/questionnaire/(walk-survey|shown-items|packed-lists|steps|step-ids|piped-answers|definition-texts|conditions|answers|personal-questions|format-answer)',
    'features/surveys/questionnaire/question-types/(registry|fields|question-field)',
    'features/surveys/questionnaire/question-types/((choices/Choice|(text|numbers|scales)/[A-Z][a-zA-Z]+)Question|choices/OtherText)',
    'features/surveys/questionnaire/question-types/(choices/choices|files/files|grid/grid|info/info|moment/moment|numbers/numbers)',
    'features/surveys/questionnaire/question-types/(places/(places|place-map\\.schema)|ranking/ranking|text/text)',
    '(ui/rating|lib/piped-answers)',
  ]),
  nameGroup('long-choice', [
    'features/surveys/questionnaire/question-types/choices/LongChoiceQuestion',
    'ui/list-field',
    'lib/normalise-text',
  ]),
  nameGroup('receipt', [
    'routes/_site/receipt.tsx',
    'features/surveys/answering/(ReceiptPages|lazy-receipt-slip)',
    'features/participation/lazy-last-receipts',
    'features/heard/(Journey|heard.functions)',
  ]),
  // What the card of a vote on money and its pages share.
  nameGroup('budgets', ['lib/format-money', 'features/budgets/(use-money|pages/(BudgetCard|round-parts|PotBar|lazy-options-map))']),
  // What a ballot, its check and its receipt share.
  nameGroup('ballot', ['features/budgets/(voting/ballot-rules|pages/(ClosingNotice|NamedReasons))']),
  // The reports of a project, whichever version is opened.
  nameGroup('project-reports', [
    'routes/_site/projects.\\$slug.report.(index|\\$version).tsx',
    'features/heard-reports/heard-reports.(functions|schema)',
  ]),
  // What the public ledgers of votes on money and of activities share, with their pages.
  nameGroup('ledgers', [
    'routes/_site/projects.\\$slug.\\$activity.ledger.tsx',
    'features/ledger/(LedgerDownload|LedgerPanel|ProofPanel)',
    'features/contributions/pages/(ActivityLedgerPage|OwnLedger|ledger-file|ledger-page.functions)',
    'features/budgets/pages/RoundLedger',
  ]),
  // What the card of an event and its pages share.
  nameGroup('events', ['features/events/pages/(EventCard|event-parts)']),
  nameGroup('weighing-questions', ['features/surveys/questionnaire/question-types/(ranking|grid|budget)/[A-Z][a-zA-Z]+Question']),
  nameGroup('detail-questions', [
    'features/surveys/questionnaire/question-types/(places|files|moment)/[A-Z][a-zA-Z]+Question',
    'features/surveys/questionnaire/question-types/(files/file-kinds|info/InfoBlock|places/lazy-pressed-place)',
  ]),
  nameGroup('accounts', [
    'features/accounts/(SignInPages|OneTimeCodeField|use-submitted-form|account-fields)',
    'features/accounts/second-step/(SecondStepForm|CodeFields|PasskeyForm|PasskeySignIn|use-passkey|second-step.functions|pending-sign-in|second-step-methods)',
    'features/identity/identity.functions',
    'features/identity/ProviderLinks',
    'ui/password-field',
    'features/profile/(lazy-questions|profile.functions)',
  ]),
]

/** What `shell/server-calls.ts` loads. */
function isForServerCalls(id: string): boolean {
  return (
    /node_modules\/(seroval|seroval-plugins)\//.test(id) ||
    /@tanstack\/.+\/(client-rpc\/(serverFnFetcher|frame-decoder)|getDefaultSerovalPlugins|ssr\/serializer\/(?!transformer).+)\.js$/.test(id)
  )
}

/** What every page needs, and the bundler's own helpers, without the parts that only the administration uses. */
function isInFramework(id: string): boolean {
  const needed = /node_modules\/(react|react-dom|scheduler|@tanstack|i18next|react-i18next|cookie-es)\/|rolldown\/runtime/
  return (
    needed.test(id) &&
    !/\/(useBlocker|useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver|useQueries|queriesObserver)\.js$/.test(id)
  )
}

/** @param paths patterns of paths below `app/`, without their extension */
function nameGroup(name: string, paths: readonly string[]) {
  const test = new RegExp(`/app/(${paths.map((path) => path.replace(/\.(?=functions|queries)/g, '\\.')).join('|')})(\\.tsx?)?(\\?|$)`)
  return { name, test, includeDependenciesRecursively: false }
}
