extension Templates {
    static let tonight = [
        "tonight": """
        <div class="bar"><div><h1>Tonight</h1><div class="sub" id="tonight-now">{{>tonight.now}}</div></div>
        <div class="bar end">{{#mayStart}}<a class="btn primary" href="{{start}}">Start an activity</a>{{/mayStart}}{{#mayHalt}}<a class="btn" href="{{app}}">Halt the app…</a>{{/mayHalt}}</div></div>
        <section class="cards five" id="tonight-figures" aria-label="Now">{{>tonight.figures}}</section>
        <div id="tonight-rows">{{>tonight.rows}}</div>
        <div id="tonight-planned">{{>tonight.planned}}</div>
        {{#mayHalt}}<form id="halt" method="post" hidden><input type="hidden" name="token" value="{{token}}"></form>{{/mayHalt}}
        """,
        "tonight.now": """
        {{sentence}}{{#pushes}} · this server pushes since <time datetime="{{machine}}" data-clock>{{text}}</time>{{/pushes}}{{#clock}} · {{clock}}{{/clock}}
        """,
        "tonight.figures": """
        {{#figures}}<div class="card"><div class="k">{{name}}</div><div class="v">{{value}} <small>{{unit}}</small></div></div>{{/figures}}
        """,
        "tonight.rows": """
        {{^hasRows}}<p class="empty">Nothing runs. An activity appears here when it is started, or when a phone reports a card.</p>{{/hasRows}}
        {{#hasRows}}<table class="tonight"><thead><tr><th scope="col">Activity</th><th scope="col" class="n">Cards</th><th scope="col" class="n">Behind at Apple</th><th scope="col" class="wide">State age p50 / p99</th><th scope="col" class="wide">Shown</th><th scope="col" class="wide">Refused / min</th><th scope="col" class="wide line">Last two hours</th><th scope="col" class="wide">Last declared</th><th scope="col" class="do"><span class="unseen">Halt or resume</span></th></tr></thead><tbody>
        {{#rows}}<tr><td class="name"><i class="dot {{tone}}"></i>{{#link}}<a href="{{link}}" data-key="{{link}}"><bdi>{{name}}</bdi></a>{{/link}}{{^link}}<bdi>{{name}}</bdi>{{/link}}<span>{{details}}</span></td><td>{{cards}}</td><td>{{#behindTone}}<span class="tag {{behindTone}}">{{behind}}</span>{{/behindTone}}{{^behindTone}}{{behind}}{{/behindTone}}</td><td class="wide">{{ages}}</td><td class="wide">{{shown}}</td><td class="wide">{{refused}}</td><td class="wide">{{{recent}}}</td><td class="wide">{{#declared}}<time datetime="{{machine}}" data-clock>{{text}}</time>{{/declared}}{{#by}}<div class="sub"><bdi>{{by}}</bdi></div>{{/by}}</td><td class="do">{{#verb}}<button class="btn{{#isHalt}} danger{{/isHalt}}" form="halt" name="from" value="tonight" formaction="{{action}}" data-key="do {{action}}" aria-label="{{verb}} {{name}}">{{verb}}</button>{{/verb}}</td></tr>{{/rows}}
        </tbody></table>{{/hasRows}}
        """,
        "tonight.planned": """
        {{#hasPlanned}}<h2>Starts in the next 12 hours</h2><table><thead><tr><th scope="col">Activity</th><th scope="col">Cards that wait</th><th scope="col">Starts</th></tr></thead><tbody>
        {{#planned}}<tr><td class="name"><a href="{{link}}" data-key="{{link}}"><bdi>{{name}}</bdi></a><span>{{details}}</span></td><td>{{starting}}</td><td>{{#at}}<time datetime="{{machine}}">{{text}}</time>{{/at}}</td></tr>{{/planned}}
        </tbody></table>{{/hasPlanned}}
        """,
    ]
}
