import EyotContract

/// The routes that make faults of nodes and of their database.
extension ControlRoutes {
    /// Answers all nodes as they are now.
    var nodes: ControlAnswer {
        get async { ControlAnswer(["nodes": .array(await lab.nodes.map(\.json))]) }
    }

    /// Does something to the process of a node, and answers the node as it is then.
    func act(onNode node: String, _ word: String, _ body: JSONValue) async throws -> ControlAnswer {
        try JSONFields(body).finish()
        guard let action = LabNode.Action(rawValue: word) else {
            let all = LabNode.Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw ControlProblem(404, "routeUnknown", "a node takes one of \(all)")
        }
        return ControlAnswer(try await lab.perform(action, on: node).json)
    }

    /// Stops or starts the database server that the lab has started, and answers its state.
    func database(_ action: String, _ body: JSONValue) async throws -> ControlAnswer {
        guard ["restart", "stop", "start"].contains(action) else {
            throw ControlProblem(404, "routeUnknown", "the database takes restart, stop and start")
        }
        guard let server = lab.postgres else { throw LabError.databaseNotOwned }
        var fields = try JSONFields(body)
        let word = action == "start" ? nil : try fields.string("mode")
        try fields.finish()
        guard let mode = ThrowawayPostgres.StopMode(rawValue: word ?? "fast") else {
            throw fields.invalid("mode", "must be fast or immediate")
        }
        switch action {
        case "restart": try await server.restartServer(mode)
        case "stop": try await server.stopServer(mode)
        default: try await server.startServer()
        }
        let state: LabNode.State = await server.isRunning ? .running : .stopped
        return ControlAnswer(["state": .string(state.rawValue), "database": .string(lab.databasePlace)])
    }
}
