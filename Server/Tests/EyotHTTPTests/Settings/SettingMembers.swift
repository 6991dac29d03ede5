/// How each setting is said on a path, as further members of its call.
enum SettingMembers {
    /// 2022-12-18T17:00:00Z, two hours after the rig's first moment.
    static let date = 1_671_382_800
    static let goal = #""alert":{"title":"Goal","body":"1:0","localizations":{"de":{"title":"Tor"}}}"#
    private static let text = "2022-12-18T17:00:00Z"

    static func text(of setting: Setting, on path: SettingPath) -> String {
        switch (setting, path) {
        case (.priority, .braze): #","notification":{"apns_priority":5}"#
        case (.priority, .start), (.priority, .liveAudience), (.priority, .plannedStart): #","priority":5"#
        case (.priority, _): #","priority":10"#
        case (.urgent, _): #","urgent":true"#
        case (.languages, .netmera), (.languages, .airship), (.languages, .braze), (.languages, .insider):
            #","localizations":{"de":{"title":"Tor"}}"#
        case (.languages, _): "," + goal
        case (.canary, _): #","canary":{"percent":50,"waitSeconds":20}"#
        case (.staleDate, .airship): #","stale_date":\#(date)"#
        case (.staleDate, .braze), (.staleDate, .insider): #","stale_date":"\#(text)""#
        case (.staleDate, _): #","staleDate":"\#(text)""#
        case (.endsAt, _): #","endsAt":"\#(text)""#
        case (.dismissalDate, .airship): #","dismissal_date":\#(date)"#
        case (.dismissalDate, .braze), (.dismissalDate, .insider): #","dismissal_date":"\#(text)""#
        case (.dismissalDate, _): #","dismissalDate":"\#(text)""#
        case (.aps, _): #","aps":{"x-mark":7}"#
        case (.spacing, _), (.spacingWithoutFrequentPushes, _), (.startsPerHour, _), (.halt, _), (.staleAfterOfType, _):
            ""
        }
    }
}
