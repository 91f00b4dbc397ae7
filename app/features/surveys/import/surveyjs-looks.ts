/** Properties that only change how a survey looks there. */
export const SURVEYJS_LOOKS: ReadonlySet<string> = new Set(
  `
  startWithNewLine width minWidth maxWidth widthMode indent rightIndent innerIndent size rows cols colCount state titleLocation
  descriptionLocation errorLocation hideNumber showNumber showQuestionNumbers imageHeight imageWidth imageFit contentMode renderAs
  itemSize rateType rateDisplayMode scaleColorMode rateColorMode autoGrow acceptCarriageReturn logo logoPosition logoWidth
  logoHeight logoFit css cssClasses showProgressBar progressBarType progressBarLocation questionTitlePattern questionStartIndex
  requiredText requiredMark headerView fitToContainer showTitle showNavigationButtons showPrevButton showCompletedPage
  pageNextText pagePrevText completeText startSurveyText questionErrorLocation questionTitleLocation focusFirstQuestionAutomatic
  focusOnFirstError clearInvisibleValues checkErrorsMode placeholder placeHolder showClearButton allowClear alternateRows
  columnMinWidth columnColCount displayMode questionsOnPageMode gridLayoutEnabled gridLayoutColumns showPreview autoFocus
  autoComplete autocomplete toolbarLocation maxTextLength questionDescriptionLocation background backgroundImage
`
    .trim()
    .split(/\s+/),
)
