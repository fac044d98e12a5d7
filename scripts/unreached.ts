/**
 * What of a library no request reaches, and what the bundle is therefore made without: by file and reason, the names of
 * functions, classes and methods, with blanks between. A bundler cannot know it, since methods are looked up by name.
 *
 * `version` is the one that was read for it. When the library is updated the build fails until somebody has looked
 * whether each of these is still unreached.
 */
export interface Unreached {
  readonly library: string;
  readonly version: string;
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const UNREACHED: readonly Unreached[] = [
  {
    library: 'liquidjs',
    version: '10.30.1',
    files: {
      'dist/liquid.browser.mjs': {
        'Templates read no files, and `engine.ts` deletes the tags that do.': `
          IncludeTag RenderTag LayoutTag BlockTag BlockDrop parseFilePath renderFilePath Loader MapFS
          resolve readFile readFileSync exists existsSync dirname __awaiter
          Parser.parse Parser._parseFile Parser._parseFileCached
          Tokenizer.readFileNameTemplate Context.saveRegister Context.restoreRegister`,
        'Tables of HTML, which no chat shows: `engine.ts` deletes the tag.': 'TablerowTag TablerowloopDrop',
        'Filters that `engine.ts` omits, and the one that `filters.ts` replaces.': `
          sha256 sha256$1 hmacSha256 hmac_sha256 sample filter_exp search_exp where_exp reject_exp group_by_exp has_exp
          find_exp find_index_exp sum`,
        'Options that the engine is not given: cache, outputEscape, preserveTimezones, catchAllErrors.': `
          LRU getOutputEscapeFunction LiquidDate.createDateFixedToTimezone LiquidErrors`,
        'Tags that are objects and not classes.': 'createTagClass',
        '`engine.ts` has its own loop over nodes, `context.ts` its own context for an element of a list.': `
          Render.renderTemplates Render.renderTemplatesToNodeStream Context.spawn`,
        'The engine is called by its parts, and not by these.': `
          Liquid.parse Liquid._render Liquid.render Liquid.renderSync Liquid.renderToNodeStream
          Liquid._parseAndRender Liquid.parseAndRender Liquid.parseAndRenderSync
          Liquid._parsePartialFile Liquid._parseLayoutFile Liquid._parseFile Liquid.parseFile Liquid.parseFileSync
          Liquid._renderFile Liquid.renderFile Liquid.renderFileSync Liquid.renderFileToNodeStream
          Liquid._evalValue Liquid.evalValue Liquid.evalValueSync Liquid.plugin Liquid.express`,
        '`syntax/check.ts` finds the names in a template itself.': `
          Liquid.analyze Liquid.analyzeSync Liquid.parseAndAnalyze Liquid.parseAndAnalyzeSync
          Liquid.variables Liquid.variablesSync Liquid.fullVariables Liquid.fullVariablesSync
          Liquid.variableSegments Liquid.variableSegmentsSync Liquid.globalVariables Liquid.globalVariablesSync
          Liquid.globalFullVariables Liquid.globalFullVariablesSync
          Liquid.globalVariableSegments Liquid.globalVariableSegmentsSync
          AssignTag.localScope CaptureTag.localScope DecrementTag.localScope IncrementTag.localScope
          ForTag.blockScope
          Context.getAll Context.getSync Context.get`,
      },
    },
  },
  {
    library: 'libphonenumber-js',
    version: '1.13.16',
    files: {
      'es6-modern/PhoneNumber.js': {
        'Messages go to digits: numbers are not written for people.': `
          PhoneNumber.format PhoneNumber.formatNational PhoneNumber.formatInternational PhoneNumber.getURI`,
        'A number is valid or it is not, and has no extension.': `
          PhoneNumber.isPossible PhoneNumber.isEqual PhoneNumber.isNonGeographic PhoneNumber.setExt`,
      },
      'es6-modern/isPossible.js': { 'Only for results of its first version.': 'isPossibleNumber' },
      'es6-modern/parse.js': { 'Only for results of its first version.': 'result' },
      'es6-modern/parsePhoneNumber_.js': { 'Countries are those that the library knows.': '_extends' },
      'es6-modern/tools/semver-compare.js': { 'The version of the numbering plans is a number.': 'default' },
      'es6-modern/helpers/mergeArrays.js': {
        'Only for lengths of numbers that are of a fixed line or mobile, which nobody asks for.':
          'mergeArrays',
      },
      'es6-modern/metadata.js': {
        'The numbering plans have no formats.': `Format NumberingPlan._getFormats NumberingPlan.formats Metadata.formats
          NumberingPlan.nationalPrefixIsOptionalWhenFormattingInNationalFormat
          NumberingPlan._getNationalPrefixIsOptionalWhenFormatting
          NumberingPlan.nationalPrefixFormattingRule NumberingPlan._getNationalPrefixFormattingRule
          NumberingPlan._getDefaultCountryMetadataForThisCallingCode
          NumberingPlan.getDefaultCountryMetadataForRegion
          NumberingPlan.defaultIDDPrefix Metadata.defaultIDDPrefix NumberingPlan.ext Metadata.ext`,
        'Not called.': `
          Metadata.getCountries Metadata.chooseCountryByCountryCallingCode Metadata.country
          Metadata.isNonGeographicCallingCode`,
      },
    },
  },
  {
    library: '@rgrove/parse-xml',
    version: '4.2.3',
    files: {
      'dist/browser.js': {
        '`ingest/parse/xml.ts` takes names, attributes, children and texts from the nodes.': `
          _XmlNode.toJSON XmlText.toJSON XmlComment.toJSON XmlDeclaration.toJSON XmlElement.toJSON XmlDocument.toJSON
          XmlDocumentType.toJSON XmlProcessingInstruction.toJSON
          _XmlNode.document XmlDocument.document _XmlNode.isRootNode
          _XmlNode.preserveWhitespace XmlElement.preserveWhitespace
          XmlElement.isEmpty XmlElement.text XmlDocument.text`,
      },
    },
  },
  {
    library: 'hono',
    version: '4.13.19',
    files: {
      'dist/hono-base.js': { 'All routes are our own.': 'Hono.mount Hono.fire' },
      'dist/context.js': {
        'Answers are JSON, or made by the platform.': `
          Context.html Context.render Context.setLayout Context.getLayout Context.setRenderer Context.redirect
          Context.header Context.status Context.body Context.event`,
      },
      'dist/request.js': {
        'Bodies are read with bounds, by `ingest/request/body.ts`.': `
          HonoRequest.parseBody HonoRequest.json HonoRequest.text HonoRequest.arrayBuffer HonoRequest.bytes
          HonoRequest.blob HonoRequest.formData HonoRequest.cachedBody`,
        'Validated by schemas of our own.': 'HonoRequest.addValidatedData HonoRequest.valid',
        'Only for middlewares that log routes.': 'HonoRequest.routePath HonoRequest.matchedRoutes',
      },
    },
  },
];
