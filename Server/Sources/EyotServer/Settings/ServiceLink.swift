/// The variables that Kubernetes gives each container for the services of its namespace. A service `eyot` makes names
/// that begin like settings. `enableServiceLinks: false` in the pod's specification leaves them out.
enum ServiceLink {
    /// Whether Kubernetes makes a variable of this name and value: `…_SERVICE_HOST`, `…_SERVICE_PORT`, also with a
    /// port's name behind it, `…_PORT` with a URL, and `…_PORT_8080_TCP`, also with a part's name behind it.
    static func makes(_ name: String, _ value: String) -> Bool {
        if name.hasSuffix("_PORT"), protocols.contains(where: { value.hasPrefix("\($0)://") }) { return true }
        return name.wholeMatch(of: /EYOT_(?:\w+_)?SERVICE_(?:HOST|PORT(?:_\w+)?)/) != nil
            || name.wholeMatch(of: /EYOT_(?:\w+_)?PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?/) != nil
    }

    private static let protocols = ["tcp", "udp", "sctp"]
}
