import APNSWire
import EyotContract
import EyotDomain

extension StartToken: SQLRecord {
    static let table = SQLTable(
        "start_tokens", key: "device", "type",
        changing: ["token", "environment", "set_at", "death_reason", "quarantined", "os_version"])

    var values: [SQLValue] {
        [
            SQLValue(device), SQLValue(type), SQLValue(token.bytes), SQLValue(environment), SQLValue(setAt),
            SQLValue(death?.reason.name), SQLValue(death?.isQuarantine == true), SQLValue(osVersion?.text),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            device: DeviceID(rawValue: try columns.number()), type: try columns.text(), token: try columns.token(),
            environment: try columns.word(), setAt: try columns.moment())
        let reason = try columns.optionalReason()
        let isQuarantine = try columns.flag()
        osVersion = try columns.optionalText().flatMap { OSVersion($0) }
        death = reason.map { TokenDeath(reason: $0, isQuarantine: isQuarantine) }
    }
}
