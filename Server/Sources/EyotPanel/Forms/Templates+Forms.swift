extension Templates {
    /// The fields that schemas make.
    static let schemaForms = [
        "schema.fields": """
        {{#fields}}<div class="field{{#isLong}} long{{/isLong}}"><label for="{{id}}"><bdi>{{title}}</bdi></label>{{#isChoice}}<select id="{{id}}" name="{{name}}"{{#fieldFault}} aria-invalid="true"{{/fieldFault}}>{{/isChoice}}{{#choices}}<option value="{{value}}"{{#isChosen}} selected{{/isChosen}}>{{title}}</option>{{/choices}}{{#isChoice}}</select>{{/isChoice}}{{^isChoice}}{{#isLong}}<textarea id="{{id}}" name="{{name}}" spellcheck="false"{{#fieldFault}} aria-invalid="true"{{/fieldFault}}>
        {{value}}</textarea>{{/isLong}}{{^isLong}}<input id="{{id}}" name="{{name}}" value="{{value}}" dir="auto" autocomplete="off"{{#isNumber}} inputmode="decimal"{{/isNumber}}{{#fieldFault}} aria-invalid="true"{{/fieldFault}}>{{/isLong}}{{/isChoice}}{{#fieldHint}}<span class="hint">{{fieldHint}}</span>{{/fieldHint}}{{#fieldFault}}<span class="error" role="alert">{{fieldFault}}</span>{{/fieldFault}}</div>{{/fields}}
        """
    ]
}
